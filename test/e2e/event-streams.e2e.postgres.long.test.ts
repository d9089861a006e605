import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { Sessions } from '../../src/features/auth/sessions.js';
import { EventStreams } from '../../src/features/events/event-streams.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { DomainError } from '../../src/platform/errors/errors.js';
import { untilChangesVisible } from '../support/changes.js';
import { closedAfterEach } from '../support/closed-after-each.js';
import { type Api, restApi } from '../support/api.js';
import { browse, openStream, type RawStream } from '../support/event-streams.js';
import { type Happened, EVENT } from '../support/operations/events.js';
import { type Person, register } from '../support/people.js';
import { begin, NO_CLOCK } from '../support/play.js';
import { Sockets } from '../../src/transport/sockets.js';
import { startServer, type TestServer } from '../support/server.js';
import { openSocket, type Socket, type Watch } from '../support/sockets.js';
import { must, send } from '../support/transport.js';

/** Events as they happen: over HTTP with a browser's client, and over sockets. */
// Long: it waits in real time.
// Both databases: on PostgreSQL several transactions run at the same time.

const MOST = 3;

let server: TestServer;
let api: Api;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  server = await startServer({
    SWEEP_SECONDS: '3600',
    HEARTBEAT_SECONDS: '1',
    OUTBOX_POLL_MS: '20',
    MAX_SOCKETS_PER_USER: `${MOST}`,
    MAX_SOCKETS_PER_ADDRESS: `${2 * MOST}`,
  });
  api = restApi(server.http);
});
beforeEach(async () => {
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close());

const { kept, closeAll } = closedAfterEach();

const stream = async (
  ...asked: Parameters<typeof openStream> extends [string, ...infer Rest] ? Rest : never
) => kept(await openStream(server.url, ...asked));

/** The stream has begun when it has sent its position. */
async function begun(streaming: RawStream): Promise<string> {
  while (streaming.from() === undefined) await pause(10);
  return streaming.from()!;
}

const several = async (from: { next(): Promise<Happened> }, many: number) => {
  const events: Happened[] = [];
  while (events.length < many) events.push(await from.next());
  return events;
};

const words = (events: readonly Happened[]) => events.map(({ type }) => type);

/** More than the buffers of a connection hold. */
const BIG = 5000;
const bigEvents = (person: Person): Promise<unknown> =>
  server.app.get(PrismaService).db.$executeRaw`
    INSERT INTO events (user_id, type, subject) SELECT ${person.id}::uuid, 'profileChanged', repeat('x', 4000)
    FROM generate_series(1, ${BIG}::integer)`;

/** Those that are being sent. */
const streams = () => server.app.get(EventStreams)['open'];

const playUntil = async (id: string, from: number, until: number) => {
  const moves = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
  for (let ply = from; ply <= until; ply++) {
    must(await api.makeMove(ply % 2 === 1 ? ann : ben, id, ply, moves[(ply - 1) % 4]!));
  }
};

describe('a stream', () => {
  it('sends what happens from now on, for a user and for a game', async () => {
    await begin(api, ann, ben);
    await untilChangesVisible(server.app);
    const own = await stream('me/events', ann);
    await begun(own);
    const game = await begin(api, ann, ben);
    expect(words(await several(own, 4))).toEqual([
      'challengeCreated',
      'challengeAccepted',
      'accept',
      'start',
    ]);
    const [ofGame, ofBen] = [await stream(`games/${game.id}/events`, null), await stream('me/events', ben)];
    await Promise.all([ofGame, ofBen].map(begun));
    await playUntil(game.id, 1, 3);
    for (const each of [own, ofGame, ofBen]) {
      expect(
        (await several(each, 3)).map(({ type, version, gameId }) => ({ type, version, gameId })),
      ).toEqual([2, 3, 4].map((version) => ({ type: 'ply', version, gameId: game.id })));
    }
    const page = must(await api.gameEvents(null, game.id)).items;
    expect(ofGame.text()).toContain(`id: ${page.at(-1)!.id}\ndata: ${JSON.stringify(page.at(-1))}\n\n`);
    expect(ofGame.answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
  });

  it('resumes after the last received event, without loss or repetition', async () => {
    const { id } = await begin(api, ann, ben);
    await untilChangesVisible(server.app);
    for (const [path, by] of [
      ['me/events', ann],
      [`games/${id}/events`, null],
    ] as const) {
      const { plyCount } = must(await api.game(null, id));
      const first = await stream(path, by);
      const from = await begun(first);
      await playUntil(id, plyCount + 1, plyCount + 4);
      const [one, two] = await several(first, 2);
      first.close();
      const versions = [1, 2, 3, 4].map((more) => plyCount + 1 + more);
      const resumed = await stream(path, by, { lastEventId: two!.id });
      expect((await several(resumed, 2)).map(({ version }) => version)).toEqual(versions.slice(2));
      // The header takes precedence, since a browser keeps the address; without it the address counts.
      const both = await stream(path, by, { after: from, lastEventId: one!.id });
      expect((await several(both, 3)).map(({ version }) => version)).toEqual(versions.slice(1));
      both.close();
      const again = await stream(path, by, { after: from });
      expect((await several(again, 4)).map(({ version }) => version)).toEqual(versions);
      await playUntil(id, plyCount + 5, plyCount + 5);
      expect((await again.next()).version).toBe(plyCount + 6);
      await closeAll();
    }
  });

  it('is resumed without a gap by a browser that was disconnected before the first event', async () => {
    const { id } = await begin(api, ann, ben);
    await untilChangesVisible(server.app);
    const own = kept(browse(server.url, 'me/events', ann));
    await new Promise((resolve) => own.source.addEventListener('open', resolve));
    await pause(100);
    const cut = new Promise((resolve) => own.source.addEventListener('error', resolve));
    server.http.closeAllConnections();
    await cut;
    await playUntil(id, 1, 3);
    expect((await several(own, 3)).map(({ version }) => version)).toEqual([2, 3, 4]);
    server.http.closeAllConnections();
    await playUntil(id, 4, 5);
    expect((await several(own, 2)).map(({ version }) => version)).toEqual([5, 6]);
  });

  it('sends comments as heartbeats', async () => {
    const own = await stream('me/events', ann);
    while (!own.text().includes('\n\n:\n\n')) await pause(50);
    expect(own.text()).toMatch(/^retry: 2000\nid: \S+\nevent: ready\ndata: {}\n\n(:\n\n)+$/);
  });

  it('ends with the session of its reader', async () => {
    const [own, other] = [await stream('me/events', ann), await stream('me/events', ben)];
    await Promise.all([own, other].map(begun));
    must(await api.endSessions(ann, true));
    expect(await own.ended).toBe(true);
    const game = await begin(api, await register(server.http, 'eve'), ben);
    expect((await other.next()).subject).toBe(game.id);
  });

  describe.each(['text/event-stream', 'application/x-ndjson'])(
    'of a client that does not read %s',
    (accept) => {
      let from: string;
      let slow: RawStream;
      let quick: RawStream;
      let events: readonly Happened[];
      beforeEach(async () => {
        await untilChangesVisible(server.app);
        from = must(await api.changes(ann, { fromNow: true })).cursor;
        await bigEvents(ann);
        slow = await stream('me/events', ann, { after: from, accept }, true);
        quick = await stream('me/events', ann, { after: from, accept });
        events = await several(quick, BIG);
      });

      it('breaks off if the client reads nothing at all', async () => {
        while (streams().size > 1) await pause(50);
        expect(quick.answer.closed).toBe(false);
        slow.answer.resume();
        expect(await slow.ended).toBe(false);
      });

      it('ends with a code if it reads on, and continues without a gap', async () => {
        while (![...streams()].some((open) => open['isOver'])) await pause(5);
        let text = '';
        slow.answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        expect(await slow.ended).toBe(true);
        expect(text.slice(text.lastIndexOf('REQUEST_TIMEOUT') - 1000)).toMatch(
          /"code":"REQUEST_TIMEOUT"[^{]*\}\}?\n+$/,
        );
        const seen = text.match(/"id":"[^"]+","type":/g)!.length;
        expect(seen).toBeLessThan(BIG);
        const rest = await stream('me/events', ann, { after: events[seen - 1]!.id, accept });
        expect(await several(rest, BIG - seen)).toEqual(events.slice(seen));
      });
    },
  );

  it('is limited per user and per address', async () => {
    const own = [];
    for (let i = 0; i < MOST; i++) own.push(await stream('me/events', ann));
    expect(own.map(({ answer }) => answer.statusCode)).toEqual(own.map(() => 200));
    const sent = (by: Person | null, path: string) =>
      send(server.http, `/v1/${path}`, { headers: { accept: 'text/event-stream' } }, by);
    expect(await sent(ann, 'me/events')).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    const { id } = await begin(api, ann, ben);
    for (let i = 0; i < MOST; i++) await stream(`games/${id}/events`, i === 0 ? ben : null);
    expect(await sent(null, `games/${id}/events`)).toMatchObject({ status: 429 });
    own[0]!.close();
    for (;;) {
      const again = await stream(`games/${id}/events`, null);
      if (again.answer.statusCode === 200) break;
      again.close();
    }
  });

  it('is refused like any other request', async () => {
    const sent = (path: string, by: Person | null = null) =>
      send(server.http, `/v1/${path}`, { headers: { accept: 'text/event-stream' } }, by);
    expect(await sent('me/events')).toMatchObject({ status: 401 });
    expect(await sent('me/events?after=x', ann)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CURSOR' },
    });
    expect(await sent(`games/${ann.id}/events`)).toMatchObject({ status: 404 });
  });
});

describe('a subscription', () => {
  let socket: Socket;
  const happened = async (watch: Watch): Promise<Happened> => {
    const { data, errors } = await watch.next();
    if (errors) throw new Error(JSON.stringify(errors));
    return Object.values(data!)[0] as unknown as Happened;
  };

  it('sends the same events in GraphQL’s form, from now on or after an event', async () => {
    const { id } = await begin(api, ann, ben);
    await untilChangesVisible(server.app);
    socket = kept(await openSocket(server, ann));
    const ofGame = socket.send(`subscription ($id: ID!) { gameEvents(gameId: $id) ${EVENT} }`, { id });
    const own = socket.send(`subscription { myEvents ${EVENT} }`);
    // Until both listen.
    const watched = socket.watch(id, '{ version }');
    await watched.next();
    await pause(300);
    await playUntil(id, 1, 2);
    const [first, second] = [await happened(own), await happened(own)];
    expect([first, second]).toMatchObject([
      { type: 'PLY', player: 'FIRST', version: 2 },
      { type: 'PLY', player: 'SECOND', version: 3 },
    ]);
    const [seen] = [await happened(ofGame)];
    expect(seen).toMatchObject({ type: 'PLY', gameId: id, version: 2 });
    const behind = socket.send(`subscription ($after: String) { myEvents(after: $after) ${EVENT} }`, {
      after: first.id,
    });
    expect(await happened(behind)).toEqual(second);
    const bad = socket.send('subscription { myEvents(after: "x") { id } }');
    const { errors } = await bad.next();
    expect(errors![0]!.extensions['code']).toBe('INVALID_CURSOR');
  });

  it('is refused without a session', async () => {
    const nobody = kept(await openSocket(server, null));
    const { errors } = await nobody.send('subscription { myEvents { id } }').next();
    expect(errors![0]!.extensions['code']).toBe('UNAUTHENTICATED');
  });

  it('of a client that does not read closes with a code, and continues without a gap', async () => {
    await untilChangesVisible(server.app);
    const from = must(await api.changes(ann, { fromNow: true })).cursor;
    await bigEvents(ann);
    const QUERY = `subscription ($after: String) { myEvents(after: $after) { id subject } }`;
    /** Subscribes without the library, whose socket cannot be stopped. */
    const follow = async (after: string) => {
      const ids: string[] = [];
      const raw = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
      const closed = new Promise<number>((resolve) => raw.on('close', resolve));
      raw.on('message', (message: Buffer) => {
        const { payload } = JSON.parse(message.toString()) as {
          payload?: { data?: { myEvents: { id: string } } };
        };
        if (payload?.data) ids.push(payload.data.myEvents.id);
      });
      await new Promise((resolve) => raw.on('open', resolve));
      const sent = (message: object) => raw.send(JSON.stringify(message));
      sent({ type: 'connection_init', payload: { authorization: ann.authorization } });
      await new Promise((resolve) => raw.once('message', resolve));
      sent({ type: 'subscribe', id: '1', payload: { query: QUERY, variables: { after } } });
      return { raw, ids, closed };
    };
    const slow = await follow(from);
    slow.raw.pause();
    const quick = await follow(from);
    while (quick.ids.length < BIG) await pause(20);
    const { clients } = server.app.get(Sockets)['server'];
    while (![...clients].some(({ readyState }) => readyState === WebSocket.CLOSING)) await pause(5);
    slow.raw.resume();
    expect(await slow.closed).toBe(1013);
    const seen = slow.ids.length;
    expect(seen).toBeLessThan(BIG);
    const rest = await follow(slow.ids.at(-1) ?? from);
    while (rest.ids.length < BIG - seen) await pause(20);
    expect([...slow.ids, ...rest.ids]).toEqual(quick.ids);
    for (const { raw } of [quick, rest]) raw.close();
    await Promise.all([quick.closed, rest.closed]);
  });

  it('of a client that never reads again is cut off', async () => {
    const raw = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const closed = new Promise<number>((resolve) => raw.on('close', resolve));
    await new Promise((resolve) => raw.on('open', resolve));
    raw.send(JSON.stringify({ type: 'connection_init' }));
    await new Promise((resolve) => raw.once('message', resolve));
    raw.pause();
    const { clients } = server.app.get(Sockets)['server'];
    while (clients.size > 0) await pause(50);
    raw.resume();
    expect([1006, 1013]).toContain(await closed);
  });

  it('ends with an event that cannot be read, so that nobody reads on behind it', async () => {
    const { id } = await begin(api, ann, ben);
    socket = kept(await openSocket(server, ann));
    const watches = [
      socket.watch(id, '{ version }'),
      socket.watchLobby(),
      socket.send('subscription { myEvents { id } }'),
      socket.send('subscription ($id: ID!) { gameEvents(gameId: $id) { id } }', { id }),
    ];
    await Promise.all(watches.slice(0, 2).map((watch) => watch.next()));
    await pause(300);
    const sessions: Partial<Sessions> = server.app.get(Sessions);
    const away = new DomainError('UNAVAILABLE', 'The database cannot be reached.');
    sessions.listener = () => Promise.reject(away);
    must(await api.makeMove(ann, id, 1, 'e2e4'));
    must(await api.createSeek(ben, { ruleset: 'chess', timeControl: NO_CLOCK }));
    expect(await socket.closed).toBe(1013);
    expect(await socket.reason).toBe(away.message);
    for (const watch of watches) await expect(watch.next()).rejects.toMatchObject({ code: 1013 });
    delete sessions.listener;
  });

  it('goes on by itself in a client of graphql-ws, once the fault has passed', async () => {
    const { id } = await begin(api, ann, ben);
    const client = createClient({
      url: `${server.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: ann.authorization },
    });
    const query = 'subscription ($id: ID!) { gameChanged(gameId: $id) { plyCount } }';
    const versions = client.iterate<{ gameChanged: { plyCount: number } }>({ query, variables: { id } });
    const next = async () => (await versions.next()).value!.data!.gameChanged.plyCount as number;
    expect(await next()).toBe(0);
    const sessions: Partial<Sessions> = server.app.get(Sessions);
    const listener = sessions.listener!.bind(sessions);
    let refused = 0;
    sessions.listener = () => Promise.reject(new DomainError('UNAVAILABLE', `Refused ${(refused += 1)} times.`)); // prettier-ignore
    must(await api.makeMove(ann, id, 1, 'e2e4'));
    while (refused === 0) await pause(5);
    sessions.listener = listener;
    expect(await next()).toBe(1);
    must(await api.makeMove(ben, id, 2, 'e7e5'));
    expect(await next()).toBe(2);
    await client.dispose();
  });
});

it('sends no body for HEAD', async () => {
  const headers = { accept: 'text/event-stream', authorization: ann.authorization };
  for (let i = 0; i <= MOST; i++) {
    const answer = await fetch(`${server.url}/v1/me/events`, { method: 'HEAD', headers });
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await answer.text()).toBe('');
  }
});

it('ends its streams when the server stops', async () => {
  const own = await startServer();
  const eve = await register(own.http, 'eve');
  const streaming = await openStream(own.url, 'me/events', eve);
  await begun(streaming);
  await own.close();
  expect(await streaming.ended).toBe(true);
});
