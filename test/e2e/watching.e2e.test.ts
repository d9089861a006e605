import { randomUUID } from 'node:crypto';
import WebSocket from 'ws';
import { restApi } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import type { Game } from '../support/api-types.js';
import { openSocket, type Socket, type Watch } from '../support/sockets.js';
import { statementsOf } from '../support/statements.js';

/** Many subscribers: the limits of each, and that equal subscriptions share the work. */

const SOCKETS = 4;
const EACH = 10;

let server: TestServer;
let ann: Person;
let ben: Person;
let game: Game;
let open: Socket[] = [];

beforeAll(async () => {
  server = await startServer({
    MAX_SOCKETS_PER_ADDRESS: '6',
    MAX_SOCKETS_PER_USER: '2',
    MAX_WATCHING_COST_PER_ADDRESS: '20000',
    MAX_WATCHING_COST_PER_USER: '3000',
  });
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
  game = await begin(restApi(server.http), ann, ben);
});
afterEach(async () => {
  await Promise.all(open.map((socket) => socket.close()));
  open = [];
});
afterAll(() => server.close());

async function opened(by: Person | null = null): Promise<Socket> {
  const socket = await openSocket(server, by);
  open.push(socket);
  return socket;
}

/** Exports of the game under this many aliases: each costs 100 fields. */
const exports = (many: number): string =>
  `{ version ${Array.from({ length: many }, (_, i) => `e${i}: export(format: PGN)`).join(' ')} }`;

const versionIn = async (watch: Watch): Promise<number> => {
  const { data, errors } = await watch.next();
  expect(errors).toBeUndefined();
  return (data!['gameChanged'] as unknown as { version: number }).version;
};

test('equal subscriptions are computed once per change', async () => {
  const watches: Watch[] = [];
  for (let i = 0; i < SOCKETS; i++) {
    const socket = await opened();
    for (let j = 0; j < EACH; j++) watches.push(socket.watch(game.id, exports(2)));
  }
  expect(await Promise.all(watches.map(versionIn))).toEqual(watches.map(() => 1));
  const statements = await statementsOf(async () => {
    await restApi(server.http).makeMove(ann, game.id, 1, 'e2e4');
    expect(await Promise.all(watches.map(versionIn))).toEqual(watches.map(() => 2));
  });
  // One read for all of them, besides those of the move itself.
  expect(statements.length).toBeLessThan(watches.length);
});

interface Own {
  readonly seat: string;
  readonly legalMoves: readonly unknown[];
}

test('two viewers never share an answer', async () => {
  const selection = '{ version viewer { seat legalMoves { move } } }';
  const watches = [await opened(ann), await opened(ben), await opened(null)].map((socket) =>
    socket.watch(game.id, selection),
  );
  const seen = async () =>
    (await Promise.all(watches.map((watch) => watch.next()))).map(
      ({ data }) => (data!['gameChanged'] as unknown as { viewer: Own | null }).viewer,
    );
  const yours = (shown: readonly (Own | null)[]) =>
    shown.map((own) => own && [own.seat, own.legalMoves.length]);
  expect(yours(await seen())).toEqual([['first', 0], ['second', 20], null]);
  await restApi(server.http).makeMove(ben, game.id, 2, 'e7e5');
  expect(yours(await seen())).toEqual([['first', 29], ['second', 0], null]);
});

/** The answer, or the details of the error. */
const refusalOf = async (watch: Watch): Promise<unknown> => {
  const answer = await watch.next();
  return answer.errors?.[0]!.extensions ?? answer;
};

test('the subscriptions of one user share a cost limit; one that ends frees its cost', async () => {
  const [one, two] = [await opened(ann), await opened(ann)];
  const first = one.watch(game.id, exports(25));
  await versionIn(first);
  const refused = two.watch(game.id, exports(25));
  expect(await refusalOf(refused)).toMatchObject({ code: 'LIMIT_REACHED', retryAfter: 5 });
  first.stop();
  for (;;) {
    const again = two.watch(game.id, exports(25));
    const answer = (await refusalOf(again)) as { data?: unknown };
    if (answer.data !== undefined) break;
  }
});

test.each([
  ['viewer { legalMoves { move } }', 8],
  ['viewer { acts { act } }', 20],
  ['claimable', 30],
  ['events(first: 8) { edges { node { seq } } }', 20],
])('and %s counts with its real cost', async (field, times) => {
  const many = Array.from({ length: times }, (_, i) => `a${i}: ${field}`).join(' ');
  const socket = await opened(ann);
  const codes: unknown[] = [];
  for (let i = 0; i < 4; i++) codes.push(((await refusalOf(socket.watch(game.id, `{ version ${many} }`))) as { code?: string }).code); // prettier-ignore
  // Of 3,000 that one user may spend; each of them costs about 1,200.
  expect(codes).toEqual([undefined, undefined, 'LIMIT_REACHED', 'LIMIT_REACHED']);
});

test('so do those of one address', async () => {
  const codes: unknown[] = [];
  for (let i = 0; i < 5; i++) {
    const socket = await opened();
    for (let j = 0; j < 2; j++) codes.push(((await refusalOf(socket.watch(game.id, exports(25)))) as { code?: string }).code); // prettier-ignore
  }
  expect(codes.filter((code) => code === 'LIMIT_REACHED')).not.toEqual([]);
  expect(codes.filter((code) => code === undefined).length).toBeGreaterThan(5);
});

/** The code with which the server closes a refused socket; 0 if it accepts it. */
const closedWith = (authorization?: string): Promise<number> =>
  new Promise((resolve) => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    socket.on('open', () =>
      socket.send(
        JSON.stringify({ type: 'connection_init', payload: authorization ? { authorization } : {} }),
      ),
    );
    socket.on('message', () => {
      resolve(0);
      socket.close();
    });
    socket.on('close', (code) => resolve(code));
  });

test('sockets are limited per user and per address; one that closes frees its place', async () => {
  for (let i = 0; i < 2; i++) await opened(ann);
  expect(await closedWith(ann.authorization)).toBe(4429);
  for (let i = 0; i < 4; i++) await opened();
  expect(await closedWith()).toBe(4429);
  await open.pop()!.close();
  while ((await closedWith()) !== 0) await new Promise(setImmediate);
});

test('a token is accepted with and without its scheme', async () => {
  const token = ann.authorization.slice('Bearer '.length);
  expect(await closedWith(token)).toBe(0);
  expect(await closedWith(`bearer ${token}`)).toBe(0);
  for (const broken of [`${token} x`, `Bearer ${token} x`, `Bearer ${randomUUID()}`, 'Basic YTpi']) {
    expect(await closedWith(broken)).toBe(4403);
  }
});
