import { once } from 'node:events';
import { STATUS_CODES } from 'node:http';
import { Logger } from '@nestjs/common';
import { startServer, type TestServer } from '../support/server.js';
import { send } from '../support/transport.js';
import { HALF_A_REQUEST, openRawConnection, readUntilClosed } from '../support/raw-connections.js';

/** What clients may do to their connections. */
// Long: it waits in real time.

const MOST = 3;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ REQUEST_SECONDS: '1', MAX_CONNECTIONS_PER_ADDRESS: `${MOST}` });
});
afterAll(() => server.close());

const opened = () => openRawConnection(server);

/** What is logged as an error in the meantime. */
async function errorsOf(work: () => Promise<void>): Promise<readonly unknown[]> {
  const errors: unknown[] = [];
  const original = Logger.prototype.error;
  Logger.prototype.error = (message: unknown) => void errors.push(message);
  try {
    await work();
  } finally {
    Logger.prototype.error = original;
  }
  return errors;
}

function parsed(answer: string) {
  const [head, body] = answer.split('\r\n\r\n') as [string, string];
  const [line, ...headers] = head.split('\r\n');
  const pairs = headers.map((header) => header.split(': ') as [string, string]);
  const named = Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
  return { line, headers: named, body: JSON.parse(body) as Readonly<Record<string, unknown>> };
}

function expectProblem(answer: string, status: number, code: string): void {
  const { line, headers, body } = parsed(answer);
  expect(line).toBe(`HTTP/1.1 ${status} ${STATUS_CODES[status]}`);
  expect(body).toMatchObject({ type: 'about:blank', title: STATUS_CODES[status], status, code });
  expect(body['requestId']).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers).toMatchObject({
    connection: 'close',
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(answer.length - answer.indexOf('{')),
    'x-request-id': body['requestId'],
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
  });
}

test.each([
  ['half a body', HALF_A_REQUEST],
  ['half a head', 'POST /v1/sessions HTTP/1.1\r\nHost: loc'],
])('%s without the rest is answered with 408, and the connection ends', async (_, text) => {
  const socket = await opened();
  socket.write(text);
  expectProblem(await readUntilClosed(socket), 408, 'REQUEST_TIMEOUT');
});

test.each([
  [
    'a head that is too long',
    431,
    'HEADERS_TOO_LARGE',
    `GET /livez HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(1 << 20)}`,
  ],
  ['an address that is even longer', 431, 'HEADERS_TOO_LARGE', `GET /${'x'.repeat(1 << 20)}`],
  ['a request that is not HTTP', 400, 'BAD_INPUT', `hello\r\n\r\n${'x'.repeat(1 << 20)}`],
  [
    'a body with two lengths',
    400,
    'BAD_INPUT',
    HALF_A_REQUEST.replace('Host:', 'Content-Length: 1\r\nHost:'),
  ],
])('%s is answered with %d like every error, and logs no error', async (_, status, code, text) => {
  const errors = await errorsOf(async () => {
    const socket = await opened();
    socket.write(text);
    expectProblem(await readUntilClosed(socket), status, code);
  });
  expect(errors).toEqual([]);
});

test('pages may read such an answer from the allowed origins', async () => {
  for (const [origins, allowed] of [
    ['*', '*'],
    ['https://app.example.org', undefined],
    ['none', undefined],
  ]) {
    const own = await startServer({ CORS_ORIGINS: origins! });
    const wire = await openRawConnection(own);
    wire.write('hello\r\n\r\n');
    const { headers } = parsed(await readUntilClosed(wire));
    expect([origins, headers['access-control-allow-origin']]).toEqual([origins, allowed]);
    await own.close();
  }
});

test('connections are limited per address; one that ends frees its place', async () => {
  const open = await Promise.all(Array.from({ length: MOST }, opened));
  const more = await opened();
  expect(await readUntilClosed(more)).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\nRetry-After: 5\r\n/);
  open[0]!.destroy();
  let answer = '';
  while (!answer.startsWith('HTTP/1.1 200')) {
    const next = await opened();
    next.write('GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    answer = await readUntilClosed(next);
  }
  for (const socket of open) socket.destroy();
});

test('a client that leaves during its body leaves no error in the log', async () => {
  const errors = await errorsOf(async () => {
    for (const path of ['/v1/sessions', '/v1/users', '/graphql', '/v1/imports']) {
      const socket = await opened();
      socket.write(HALF_A_REQUEST.replace('/v1/sessions', path));
      // The head has arrived: the server is waiting for the rest.
      await once(server.http, 'request');
      socket.destroy();
      await once(socket, 'close');
      while (await isOpen()) await new Promise(setImmediate);
    }
  });
  expect(errors).toEqual([]);
  expect((await send(server.http, '/livez')).status).toBe(200);
});

const isOpen = (): Promise<boolean> =>
  new Promise((done, fail) => {
    server.http.getConnections((error, count) => (error ? fail(error) : done(count > 0)));
  });
