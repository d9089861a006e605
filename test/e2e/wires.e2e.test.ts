import { once } from 'node:events';
import { Logger } from '@nestjs/common';
import { startServer, type TestServer } from '../support/server.js';
import { send } from '../support/transport.js';
import { HALF_A_REQUEST, openWire, toldOn } from '../support/wires.js';

/** What clients may do to their connections. */

const MOST = 3;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ REQUEST_SECONDS: '1', MAX_CONNECTIONS_PER_ADDRESS: `${MOST}` });
});
afterAll(() => server.close());

const opened = () => openWire(server);

test.each([
  ['half a body', HALF_A_REQUEST],
  ['half a head', 'POST /v1/sessions HTTP/1.1\r\nHost: loc'],
])('%s that never goes on is answered with 408, and the connection ends', async (_, text) => {
  const socket = await opened();
  socket.write(text);
  expect(await toldOn(socket)).toMatch(/^HTTP\/1\.1 408 /);
});

test('one address has so many connections at most; one that ends makes room', async () => {
  const open = await Promise.all(Array.from({ length: MOST }, opened));
  const more = await opened();
  expect(await toldOn(more)).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\nRetry-After: 5\r\n/);
  open[0]!.destroy();
  let answer = '';
  while (!answer.startsWith('HTTP/1.1 200')) {
    const next = await opened();
    next.write('GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    answer = await toldOn(next);
  }
  for (const socket of open) socket.destroy();
});

test('a client that leaves amid its body leaves no error in the log', async () => {
  const errors: unknown[] = [];
  const original = Logger.prototype.error;
  Logger.prototype.error = (message: unknown) => void errors.push(message);
  try {
    for (const path of ['/v1/sessions', '/v1/users', '/graphql', '/v1/imports']) {
      const socket = await opened();
      socket.write(HALF_A_REQUEST.replace('/v1/sessions', path));
      // The head has arrived: the server has begun to wait for the rest.
      await once(server.http, 'request');
      socket.destroy();
      await once(socket, 'close');
      while (await isOpen()) await new Promise(setImmediate);
    }
  } finally {
    Logger.prototype.error = original;
  }
  expect(errors).toEqual([]);
  expect((await send(server.http, '/livez')).status).toBe(200);
});

const isOpen = (): Promise<boolean> =>
  new Promise((done, fail) => {
    server.http.getConnections((error, count) => (error ? fail(error) : done(count > 0)));
  });
