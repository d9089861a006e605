import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { getIntrospectionQuery } from 'graphql';
import { Shutdown } from '../../src/transport/shutdown.js';
import { openRawConnection } from '../support/raw-connections.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { openSocket } from '../support/sockets.js';
import { send } from '../support/transport.js';

/** What one connection or one address can take from the others: pipelined requests, answers about the schema, refusals. */

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** What a connection receives until it has been silent for a while. */
async function readAll(wire: Awaited<ReturnType<typeof openRawConnection>>): Promise<string> {
  let text = '';
  wire.on('data', (bytes) => (text += String(bytes)));
  for (let length = -1; length !== text.length; await pause(300)) length = text.length;
  wire.destroy();
  return text;
}

/** A request from another address than that of the tests. */
async function askFromElsewhere(path: string): Promise<void> {
  const wire = connect({
    port: Number(new URL(server.url).port),
    host: '127.0.0.1',
    localAddress: '127.0.0.2',
  });
  wire.write(get(path));
  await once(wire, 'data');
  wire.destroy();
}

describe('pipelined requests', () => {
  it('are answered in order', async () => {
    const wire = await openRawConnection(server);
    wire.write(Array.from({ length: 40 }, (_, i) => get(`/v1/users/nobody-${i}`)).join(''));
    const answers = await readAll(wire);
    const names = [...new Set([...answers.matchAll(/nobody-(\d+)/g)].map(([, number]) => Number(number)))];
    expect(names).toEqual(Array.from({ length: 40 }, (_, i) => i));
  });

  it('begin when the answers before them have been read', async () => {
    const wire = (await openRawConnection(server)).pause();
    // Together more than the system takes of answers that nobody reads.
    wire.write(get('/openapi.json').repeat(60));
    await pause(500);
    expect(server.app.get(Shutdown)['underWay'].size).toBe(1);
    wire.resume();
    expect((await readAll(wire)).match(/HTTP\/1\.1 200/g)).toHaveLength(60);
  });

  it('beyond a thousand of one address close their connection', async () => {
    const wire = (await openRawConnection(server)).pause();
    const closed = new Promise((resolve) => wire.once('close', resolve));
    wire.write(get('/openapi.json').repeat(2500));
    wire.resume();
    await closed;
    expect((await send(server.http, '/livez')).status).toBe(200);
  });
});

describe('answers about the schema', () => {
  const ask = (query: string, encoding?: string) =>
    fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(encoding && { 'accept-encoding': encoding }) },
      body: JSON.stringify({ query }),
    });

  it('are the same when they come from memory, compressed or not', async () => {
    const query = getIntrospectionQuery();
    const [first, second, third] = [
      await ask(query, 'identity'),
      await ask(query, 'identity'),
      await ask(query, 'br'),
    ];
    const text = await first.text();
    expect(await second.text()).toBe(text);
    expect(third.headers.get('content-encoding')).toBe('br');
    expect(third.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(await third.text()).toBe(text);
  });

  it('are refused in words that nobody has used, if they are many and others are served', async () => {
    const unusual = (i: number) => getIntrospectionQuery().replace('queryType', `a${i}: queryType`);
    const codes = [];
    for (let i = 0; i < 6; i += 1) {
      // Others count for five seconds.
      await askFromElsewhere('/v1/rulesets');
      const { errors } = (await (await ask(unusual(i))).json()) as {
        errors?: [{ extensions: { code: string } }];
      };
      codes.push(errors?.[0].extensions.code ?? 'OK');
    }
    expect(codes).toEqual(['OK', 'OK', 'OK', 'OK', 'RATE_LIMITED', 'RATE_LIMITED']);
    expect((await (await ask(unusual(0))).json()) as object).toHaveProperty('data');
  });
});

describe('documents that take long to check', () => {
  const repeated = `{ ${'rulesets { id } '.repeat(11)} }`;

  it('are refused before they are checked', async () => {
    const { status, body } = await send(server.http, '/graphql', {
      method: 'post',
      body: { query: repeated },
    });
    expect([status, body.errors[0].extensions.code]).toEqual([400, 'QUERY_TOO_COSTLY']);
    expect(body.errors[0].message).toMatch(/the field rulesets more than 10 times side by side/);
  });

  it('are refused on sockets as well, and too many refusals close a socket', async () => {
    const socket = await openSocket(server, null);
    const refused = socket.send(`subscription { ${'gameChanged(gameId: "x") { id } '.repeat(11)} }`);
    expect((await refused.next()).errors![0]!.extensions).toEqual({ code: 'QUERY_TOO_COSTLY' });
    for (let i = 1; i < 20; i += 1)
      void socket
        .send('subscription { nothing }')
        .next()
        .catch(() => undefined);
    expect(await socket.closed).toBe(4429);
  });
});
