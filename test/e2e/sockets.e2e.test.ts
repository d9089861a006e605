import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { Logger } from '@nestjs/common';
import WebSocket from 'ws';
import { AccessTokens } from '../../src/features/auth/access-tokens.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { restApi, VERBS } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import { openSocket } from '../support/sockets.js';
import { send } from '../support/transport.js';
import { frameOf, openRawConnection, UPGRADE } from '../support/raw-connections.js';

/** What comes over sockets other than a player's subscriptions: it is refused, and no one else is affected. */

/** Subscriptions of a socket. */
const MOST = 10;

let server: TestServer;
let ann: Person;
let ben: Person;
const complaints: unknown[] = [];
const complain = console.error;
beforeAll(async () => {
  // graphql-ws writes to the console about sockets that fail.
  console.error = (...words) => complaints.push(words);
  server = await startServer({ MAX_SUBSCRIPTIONS_PER_SOCKET: String(MOST) });
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(async () => {
  console.error = complain;
  await server.close();
});

const alive = async () => (await send(server.http, '/livez')).status;

/** A socket without a well-behaved client. */
async function raw(path = '/graphql'): Promise<WebSocket> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}`, 'graphql-transport-ws');
  socket.on('error', () => undefined);
  await once(socket, 'open');
  return socket;
}

const closeOf = async (socket: WebSocket): Promise<number> => ((await once(socket, 'close')) as [number])[0];

describe('a socket', () => {
  it.each([
    'Bearer nonsense',
    'Bearer',
    'nonsense',
    `Basic ${'x'.repeat(40)}`,
    'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.',
  ])('is closed with 4403 for the token %j', async (authorization) => {
    const socket = await openSocket(server, null, authorization);
    expect(await socket.closed).toBe(4403);
  });

  it('is closed with 4403 for an ended session', async () => {
    const cid = await register(server.http, 'cid');
    await restApi(server.http).endSessions(cid, true);
    expect(await (await openSocket(server, cid)).closed).toBe(4403);
  });

  it('is closed without internal details, which are logged once and not on the console', async () => {
    complaints.length = 0;
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const verify = jest.spyOn(server.app.get(AccessTokens), 'verify');
    const fault = new Error('secret words');
    verify.mockRejectedValue(fault);
    try {
      const socket = await raw();
      socket.send(JSON.stringify({ type: 'connection_init', payload: { Authorization: ann.authorization } }));
      const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
      expect([code, String(reason)]).toEqual([4500, 'Internal server error']);
      expect(logged.mock.calls).toEqual([[{ requestId: expect.any(String), message: fault }]]);
      expect(complaints).toEqual([]);
    } finally {
      verify.mockRestore();
      logged.mockRestore();
    }
  });

  it.each([
    ['invalid JSON', 4400, ['{']],
    ['an unknown message', 4400, ['{"type":"nothing"}']],
    [
      'a subscription before connection_init',
      4401,
      [JSON.stringify({ id: '1', type: 'subscribe', payload: { query: '{ __typename }' } })],
    ],
    ['connection_init twice', 4429, ['{"type":"connection_init"}', '{"type":"connection_init"}']],
    ['a frame over 64 KiB', 1009, ['x'.repeat(64 * 1024 + 1)]],
  ] as const)('that sends %s is closed with %d, and no other', async (_, code, frames) => {
    const other = await openSocket(server, null);
    const game = await begin(restApi(server.http), ann, ben);
    const watch = other.watch(game.id, '{ version }');
    await watch.next();
    const socket = await raw();
    for (const frame of frames) socket.send(frame);
    expect(await closeOf(socket)).toBe(code);
    await restApi(server.http).makeMove(ann, game.id, 1, 'e2e4');
    expect((await watch.next()).data).toEqual({ gameChanged: { version: 2 } });
    await other.close();
  });

  it('accepts subscriptions only', async () => {
    const socket = await openSocket(server, ann);
    const games = () => server.app.get(PrismaService).db.challenge.count();
    const before = await games();
    const id = '01890000-0000-7000-8000-000000000000';
    const refused: readonly (readonly [string, string, Record<string, unknown>?])[] = [
      ['{ me { id } }', 'BAD_INPUT'],
      ['{ __schema { types { name } } }', 'BAD_INPUT'],
      [
        VERBS.createChallenge.graphql({}).document('{ challenge { id } }'),
        'BAD_INPUT',
        { input: { ruleset: 'chess', opponent: { link: true }, timeControl: { none: {} } } },
      ],
      ['subscription {', 'GRAPHQL_PARSE_FAILED'],
      ['subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
      [
        `subscription { a: gameChanged(gameId: "${id}") { id } b: gameChanged(gameId: "${id}") { id } }`,
        'GRAPHQL_VALIDATION_FAILED',
      ],
      ['subscription ($id: ID!) { gameChanged(gameId: $id) { id } }', 'BAD_INPUT', {}],
      [
        `subscription { gameChanged(gameId: "${id}") { ${'a: id '.repeat(3)}${Array.from({ length: 31 }, (_, i) => `b${i}: id`).join(' ')} } }`,
        'QUERY_TOO_COSTLY',
      ],
      [`subscription { gameChanged(gameId: "${id}") { ${'id '.repeat(2000)} } }`, 'GRAPHQL_PARSE_FAILED'],
    ];
    for (const [query, code, variables] of refused) {
      const { errors } = await socket.send(query, variables).next();
      expect([query.slice(0, 60), errors![0]!.extensions]).toEqual([
        query.slice(0, 60),
        expect.objectContaining({ code }),
      ]);
    }
    expect(await games()).toBe(before);
    await socket.close();
  });

  it('limits the number of subscriptions', async () => {
    const socket = await openSocket(server, null);
    const { id } = await begin(restApi(server.http), ann, ben);
    const watches = Array.from({ length: MOST }, () => socket.watch(id, '{ version }'));
    await Promise.all(watches.map((watch) => watch.next()));
    const { errors } = await socket.watch(id, '{ version }').next();
    expect(errors![0]!.extensions).toEqual({ code: 'LIMIT_REACHED', limit: MOST, retryAfter: 5 });
    await socket.close();
  });
});

describe('an upgrade', () => {
  const HEADERS =
    'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
  const PROTOCOL = 'Sec-WebSocket-Protocol: graphql-transport-ws\r\n';
  const port = () => Number(new URL(server.url).port);

  it.each([
    ['another path', 'GET /other HTTP/1.1', HEADERS + PROTOCOL],
    ['no path', 'GET / HTTP/1.1', HEADERS + PROTOCOL],
    ['a longer path', 'GET /graphql/x HTTP/1.1', HEADERS + PROTOCOL],
    ['no protocol', 'GET /graphql HTTP/1.1', HEADERS],
    ['the old protocol', 'GET /graphql HTTP/1.1', `${HEADERS}Sec-WebSocket-Protocol: graphql-ws\r\n`],
    [
      'another upgrade',
      'GET /graphql HTTP/1.1',
      `Host: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n${PROTOCOL}`,
    ],
    [
      'no key',
      'GET /graphql HTTP/1.1',
      `Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${PROTOCOL}`,
    ],
  ])('to %s is answered with 400, and the connection ends', async (_, line, headers) => {
    const socket = connect({ port: port(), host: '127.0.0.1', allowHalfOpen: true });
    socket.write(`${line}\r\n${headers}\r\n`);
    let answer = '';
    socket.on('data', (bytes) => (answer += String(bytes)));
    await once(socket, 'end');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    // This side stays half open; the server closes its own.
    const gone = once(socket, 'error').catch(() => undefined);
    while (!socket.destroyed) {
      socket.write('x');
      await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 20))]);
    }
  });

  it.each(['/graphql', '/other'])('to %s that is reset does not end the process', async (path) => {
    for (let i = 0; i < 20; i += 1) {
      const socket = connect(port(), '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(`GET ${path} HTTP/1.1\r\n${HEADERS}${PROTOCOL}\r\n`);
      if (i % 2 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      socket.resetAndDestroy();
    }
    expect(await alive()).toBe(200);
  });

  it('that is reset while it is answered writes nothing on the console', async () => {
    complaints.length = 0;
    for (let i = 0; i < 20; i += 1) {
      const arrived = once(server.http, 'connection') as Promise<[Socket]>;
      const wire = await openRawConnection(server);
      const [ours] = await arrived;
      const gone = new Promise((resolve) => ours.once('close', resolve));
      wire.write(UPGRADE);
      await once(wire, 'data');
      // At the same time: the server reads connection_init, and its answer meets a closed connection.
      wire.write(frameOf('{"type":"connection_init"}'));
      wire.resetAndDestroy();
      await gone;
    }
    expect(complaints).toEqual([]);
    expect(await alive()).toBe(200);
  });

  it('is reset during a subscription, and its listeners are removed', async () => {
    const { id } = await begin(restApi(server.http), ann, ben);
    const socket = await raw();
    socket.send('{"type":"connection_init"}');
    await once(socket, 'message');
    socket.send(
      JSON.stringify({
        id: '1',
        type: 'subscribe',
        payload: { query: `subscription { gameChanged(gameId: "${id}") { version } }` },
      }),
    );
    await once(socket, 'message');
    socket.terminate();
    await restApi(server.http).makeMove(ann, id, 1, 'e2e4');
    expect(await alive()).toBe(200);
  });
});

it('a server stops despite open sockets, including one that does not answer', async () => {
  const own = await startServer();
  const good = await openSocket(own, null);
  const mute = new WebSocket(`${own.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await once(mute, 'open');
  mute.pause();
  await own.close();
  expect(await good.closed).toBe(1001);
});
