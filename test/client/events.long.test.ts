import { getEventListeners } from 'node:events';
import { createClient, type HalfmoveEvent, operations } from '../../packages/client/src/client.js';
import { restApi } from '../support/api.js';
import { beginGame, registerClient, SOON, type ClientUser } from '../support/clients.js';
import { startDroppingProxy, type DroppingProxy } from '../support/dropping-proxy.js';
import { DAY_MS, Time } from '../../src/platform/process/time.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { ringTime, stopTime } from '../support/stopped-time.js';
import { PASSWORD } from '../support/people.js';
import { SHARED_SETTINGS, startServer, type TestServer } from '../support/server.js';

/** Events as the client follows them. */
// Long: it waits in real time.

let server: TestServer;
let proxy: DroppingProxy;
let ann: ClientUser;
let ben: ClientUser;

beforeAll(async () => {
  server = await startServer({
    ...SHARED_SETTINGS,
    SWEEP_SECONDS: '3600',
    HEARTBEAT_SECONDS: '1',
    OUTBOX_POLL_MS: '20',
  });
  proxy = await startDroppingProxy(server.url);
  // Client seeds would be events of their own.
  const proofs = null;
  [ann, ben] = [
    await registerClient(server.url, 'ann', { proofs }),
    await registerClient(server.url, 'ben', { proofs }),
  ];
});
afterAll(async () => {
  await proxy.close();
  await server.close();
});

const MOVES = ['Nf3', 'Nf6', 'Ng1', 'Ng8'];

async function play(gameId: string, from: number, until: number): Promise<void> {
  for (let ply = from; ply <= until; ply += 1) {
    const { halfmove } = ply % 2 === 1 ? ann : ben;
    const input = { gameId, ply, move: MOVES[(ply - 1) % 4]! };
    await halfmove.graphql(operations.makeMove, { input });
  }
}

/** The next `count` events. */
async function take(events: AsyncIterator<HalfmoveEvent>, many: number): Promise<HalfmoveEvent[]> {
  const taken: HalfmoveEvent[] = [];
  while (taken.length < many) {
    const { done, value } = await events.next();
    if (done) throw new Error('The stream ended.');
    taken.push(value);
  }
  return taken;
}

it('arrive as they happen, from the moment the stream is open', async () => {
  const events = ann.halfmove.events();
  await events.opened;
  const id = await beginGame(ann, ben);
  await play(id, 1, 1);
  const types = (await take(events, 5)).map(({ type }) => type);
  expect(types).toEqual(['challengeCreated', 'challengeAccepted', 'accept', 'start', 'ply']);
  await events.return();
});

const allOf = async (gameId: string): Promise<readonly string[]> =>
  (await ben.halfmove.graphql(operations.gameEvents, { gameId })).gameEvents.edges.map(({ node }) => node.id);

const idsOf = (events: readonly HalfmoveEvent[]) => events.map(({ id }) => id);

it('continue after the last one when the connection breaks, without loss or repetition', async () => {
  const id = await beginGame(ann, ben);
  const game = createClient({ url: proxy.url, ...SOON }).gameEvents(id);
  await game.opened;
  // Before the first event, while idle, mid-stream, and during a reconnect.
  proxy.cut();
  await play(id, 1, 2);
  const first = await take(game, 1);
  proxy.cut();
  await play(id, 3, 8);
  const more = await take(game, 4);
  proxy.drop('request', 'answer');
  proxy.cut();
  await play(id, 9, 12);
  const rest = await take(game, 7);
  expect(proxy.left()).toBe(0);
  expect(idsOf([...first, ...more, ...rest])).toEqual((await allOf(id)).slice(-12));
  await game.return();
});

it('begin after a given cursor', async () => {
  const id = await beginGame(ann, ben);
  await play(id, 1, 4);
  const ids = await allOf(id);
  const game = createClient({ url: server.url }).gameEvents(id, { after: ids.at(-3)! });
  expect(idsOf(await take(game, 2))).toEqual(ids.slice(-2));
  await game.return();
});

it('end with their loop and with their signal', async () => {
  const id = await beginGame(ann, ben);
  await play(id, 1, 2);
  const [before, after] = (await allOf(id)).slice(-2);
  const heard: string[] = [];
  for await (const event of ann.halfmove.gameEvents(id, { after: before! })) {
    heard.push(event.id);
    break;
  }
  expect(heard).toEqual([after]);
  const leaving = new AbortController();
  const stream = ann.halfmove.gameEvents(id, { signal: leaving.signal });
  await stream.opened;
  const next = stream.next();
  leaving.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});

it('report when the events after a cursor are no longer stored', async () => {
  const { myEvents } = await ben.halfmove.graphql(operations.myEvents, { first: 1 });
  const time = stopTime(server.app);
  time.forward(91 * DAY_MS);
  const events = ben.halfmove.events({ after: myEvents.edges[0]!.node.id });
  await expect(events.next()).rejects.toMatchObject({ code: 'CURSOR_EXPIRED', status: 410 });
  Reflect.deleteProperty(server.app.get(Time), 'now');
});

it('report when their event is lost under an open stream', async () => {
  const id = await beginGame(ann, ben);
  const events = ann.halfmove.events();
  await events.opened;
  await play(id, 1, 1);
  // The stream may begin before the game, where it has not been told of it yet.
  let [event] = await take(events, 1);
  while (event!.type !== 'ply') [event] = await take(events, 1);
  await server.app.get(PrismaService).db.event.deleteMany({ where: { gameId: id, version: event!.version } });
  await expect(events.next()).rejects.toMatchObject({ code: 'CURSOR_EXPIRED', status: 410, field: 'after' });
});

it('continue when the connection goes silent', async () => {
  const id = await beginGame(ann, ben);
  const [accepted, started] = await allOf(id);
  const silent = `id: ${accepted}\nevent: ready\ndata: {}\n\n`;
  let asked = 0;
  const halfmove = createClient({
    url: server.url,
    ...SOON,
    timeoutMs: 5000,
    fetch: (request) => {
      asked += 1;
      if (asked > 1) return fetch(request);
      const start = (controller: ReadableStreamDefaultController) =>
        controller.enqueue(new TextEncoder().encode(silent));
      return Promise.resolve(new Response(new ReadableStream({ start })));
    },
  });
  const events = halfmove.gameEvents(id, { after: accepted! });
  expect(idsOf(await take(events, 1))).toEqual([started]);
  expect(asked).toBe(2);
  await events.return();
});

it('end with an error that would occur again', async () => {
  await expect(ann.halfmove.events({ after: 'nonsense' }).next()).rejects.toMatchObject({
    code: 'INVALID_CURSOR',
  });
  const nobody = createClient({ url: server.url }).events();
  await expect(nobody.opened).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  const none = createClient({ url: 'http://127.0.0.1:9', ...SOON, retries: 1 }).gameEvents('1');
  await expect(none.next()).rejects.toMatchObject({ code: 'NO_ANSWER' });
});

it('continue with a new token when the session is renewed', async () => {
  const session = { ...(await registerClient(server.url, 'cara')).halfmove.session!, accessToken: 'expired' };
  const halfmove = createClient({ url: server.url, ...SOON, session });
  const events = halfmove.events();
  await events.opened;
  expect(halfmove.session!.accessToken).not.toBe('expired');
  await events.return();
});

it('continue when the token expires, and end with an error when the session does', async () => {
  const time = ringTime(server.app);
  const [cara, dan] = [await registerClient(server.url, 'cara'), await registerClient(server.url, 'dan')];
  const events = cara.halfmove.events();
  await events.opened;
  const waiting = take(events, 5);
  const { accessToken } = cara.halfmove.session!;
  time.forward(DAY_MS);
  await beginGame(cara, dan);
  expect((await waiting).map(({ type }) => type)).toContain('start');
  const next = cara.halfmove.session!;
  expect(next.accessToken).not.toBe(accessToken);
  const waitingAgain = events.next();
  await restApi(server.http).endSessions({ authorization: `Bearer ${next.accessToken}` }, true);
  await expect(waitingAgain).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  for (const name of ['now', 'at']) Reflect.deleteProperty(server.app.get(Time), name);
});

it('end with the session in which they began; anonymous ones continue', async () => {
  const { halfmove } = await registerClient(server.url, 'dora');
  const id = await beginGame(ann, ben);
  const visitor = createClient({ url: proxy.url, ...SOON, session: halfmove.session });
  const [mine, nobody] = [visitor.events(), createClient({ url: proxy.url, ...SOON })];
  const game = nobody.gameEvents(id);
  await Promise.all([mine.opened, game.opened]);
  for (const client of [visitor, nobody]) {
    await client.login({ username: ben.username, password: PASSWORD });
  }
  proxy.cut();
  await expect(mine.next()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  await play(id, 1, 1);
  expect((await take(game, 1)).map(({ type }) => type)).toEqual(['ply']);
  await game.return();
});

it.each([
  ['left', null],
  ['refused', 'nonsense'],
])('release the signal when they are %s', async (_, after) => {
  const { signal } = new AbortController();
  const events = ann.halfmove.events({ after, signal });
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  await events.opened.then(
    () => events.return(),
    () => undefined,
  );
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

/** A client that always gets this stream as the answer, and the times of its requests. */
function streaming(body: () => string | ReadableStream, type = 'text/event-stream') {
  const asked: number[] = [];
  const fetch = () => {
    asked.push(Date.now());
    return Promise.resolve(new Response(body(), { headers: { 'content-type': type } }));
  };
  return { halfmove: createClient({ url: server.url, backoffMs: 20, fetch }), asked };
}

it.each([
  ['text/event-stream', 'NO_ANSWER'],
  ['text/html', 'BAD_ANSWER'],
])('cancel a stream of %s that does not begin as it should', async (type, code) => {
  let cancelled = 0;
  const body = () =>
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('id: 1\ndata: {}\n\n')),
      cancel: () => void (cancelled += 1),
    });
  const { halfmove } = streaming(body, type);
  await expect(halfmove.events().opened).rejects.toMatchObject({ code });
  expect(cancelled).toBe(1);
});

/** How long the client waits before its n-th request when each stream ends at once. */
async function waited(body: string, requests: number): Promise<number> {
  const { halfmove, asked } = streaming(() => body);
  const events = halfmove.gameEvents('1');
  const over = events.next();
  while (asked.length < requests) await new Promise((resolve) => setTimeout(resolve, 5));
  await events.return();
  await over;
  return asked[requests - 1]! - asked[0]!;
}

it('reconnect with growing delays when they end without an event, and not before the server allows it', async () => {
  // At least half of 20, 40, 80 and 160 ms.
  expect(await waited('id: 1\nevent: ready\ndata: {}\n\n', 5)).toBeGreaterThanOrEqual(145);
  expect(await waited('retry: 300\nid: 1\nevent: ready\ndata: {}\n\n', 2)).toBeGreaterThanOrEqual(300);
});
