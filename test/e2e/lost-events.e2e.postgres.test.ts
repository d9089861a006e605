import { setTimeout as pause } from 'node:timers/promises';
import { ChangesService } from '../../src/features/changes/changes.service.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { openServerSession } from '../../src/platform/database/session.js';
import { closedAfterEach } from '../support/closed-after-each.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { allChanges, untilChangesVisible } from '../support/changes.js';
import { openStream, type RawStream } from '../support/event-streams.js';
import { lost } from '../support/lost-commits.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { onServer } from '../support/scale.js';
import { startServer, type TestServer } from '../support/server.js';
import { openSocket, type Watch } from '../support/sockets.js';
import { must } from '../support/transport.js';

/**
 * Positions in a log that has lost its newest events, as after a failover without synchronous replication: valid exactly
 * while the event they stand on is there. What other numbers say proves nothing: they come again.
 */
// Both databases: the announcer of the embedded one works only while somebody listens.

const EXPIRED = { refusal: { code: 'CURSOR_EXPIRED' } };

let server: TestServer;
let api: Api;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  server = await startServer({ SWEEP_SECONDS: '3600', OUTBOX_POLL_MS: '20' });
  api = restApi(server.http);
});
beforeEach(async () => {
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close());

const { kept } = closedAfterEach();

async function stream(path: string, by: Person | null): Promise<RawStream> {
  const streaming = kept(await openStream(server.url, path, by));
  while (streaming.from() === undefined) await pause(10);
  return streaming;
}

const db = () => server.app.get(PrismaService).db;

/** What follows in the log, and the user's position in changes and in events. */
async function positions(by: Person): Promise<readonly string[]> {
  await untilChangesVisible(server.app);
  return [
    must(await api.changes(by, { fromNow: true })).cursor,
    must(await api.myEvents(by)).items.at(-1)!.id,
  ];
}

/** Loses the last event, and stores another one with its numbers. */
async function replaceLast(): Promise<void> {
  const columns = 'tide, id, at, version, steps, user_id, other_id, game_id, type, subject';
  await db().$transaction(async (tx) => {
    await tx.$executeRawUnsafe(`CREATE TEMP TABLE lost ON COMMIT DROP AS
      SELECT ${columns} FROM events ORDER BY tide DESC, id DESC LIMIT 1`);
    await tx.$executeRaw`DELETE FROM events WHERE (tide, id) = (SELECT tide, id FROM lost)`;
    await tx.$executeRawUnsafe(`INSERT INTO events (${columns}) SELECT ${columns} FROM lost`);
  });
}

const ended = async (streaming: RawStream) => {
  expect(await streaming.ended).toBe(true);
  return JSON.parse(/event: end\ndata: (.*)\n\n$/.exec(streaming.text())![1]!) as unknown;
};

const lastWords = async (watch: Watch) => {
  for (;;) {
    const { data, errors } = await watch.next();
    if (data !== null) continue;
    await expect(watch.next()).rejects.toThrow('has ended');
    return errors![0]!.extensions['code'];
  }
};

describe.each(TRANSPORTS)('a position over %s', (_, over) => {
  it('is valid while its event is there, whatever came after it', async () => {
    const { id } = await begin(api, ann, ben);
    const [since, after] = await positions(ann);
    must(await api.makeMove(ann, id, 1, 'e2e4'));
    await positions(ann);
    await replaceLast();
    const asked = over(server.http);
    expect(must(await asked.changes(ann, { since: since! })).items).toMatchObject([{ kind: 'game', id }]);
    for (const from of [since!, after!]) {
      expect(must(await asked.myEvents(ann, { after: from })).items).toMatchObject([
        { gameId: id, version: 2 },
      ]);
    }
  });

  it('is expired when another event has the numbers of its own', async () => {
    const { id } = await begin(api, ann, ben);
    must(await api.makeMove(ann, id, 1, 'e2e4'));
    const [since, after] = await positions(ann);
    await replaceLast();
    const asked = over(server.http);
    expect(await asked.changes(ann, { since: since! })).toMatchObject(EXPIRED);
    for (const from of [since!, after!])
      expect(await asked.myEvents(ann, { after: from })).toMatchObject(EXPIRED);
    const again = (await positions(ann)) as [string, string];
    expect(must(await asked.changes(ann, { since: again[0] })).items).toEqual([]);
    expect(must(await asked.myEvents(ann, { after: again[1] })).items).toEqual([]);
  });
});

it('is expired when its change is lost, though the last event is older and still there', async () => {
  const { id } = await begin(api, ann, ben);
  must(await api.makeMove(ann, id, 1, 'e2e4'));
  must(await api.makeMove(ben, id, 2, 'e7e5'));
  must(await api.plain(ann, 'offerDraw', id));
  await untilChangesVisible(server.app);
  const key = { userId_gameId_type: { userId: ben.id, gameId: id, type: 'drawOffer' } };
  const before = must(await api.changes(ben, { fromNow: true })).cursor;
  // Nothing but the change tells of this.
  const { readAt } = await db().notification.update({ where: key, data: { readAt: new Date() } });
  await untilChangesVisible(server.app);
  const { cursor, items } = must(await api.changes(ben, { since: before }));
  expect([readAt === null, items.length]).toEqual([false, 1]);
  expect(must(await api.changes(ben, { since: cursor })).items).toEqual([]);
  await db()
    .$executeRaw`UPDATE changes SET xid = (xid::text::bigint - 1)::text::xid8 WHERE user_id = ${ben.id}::uuid AND kind = 'notification'`;
  expect(await api.changes(ben, { since: cursor })).toMatchObject(EXPIRED);
});

it('lists again what came after the last event if its own number proves nothing any more', async () => {
  const { id } = await begin(api, ann, ben);
  must(await api.makeMove(ann, id, 1, 'e2e4'));
  must(await api.makeMove(ben, id, 2, 'e7e5'));
  must(await api.plain(ann, 'offerDraw', id));
  await untilChangesVisible(server.app);
  const key = { userId_gameId_type: { userId: ben.id, gameId: id, type: 'drawOffer' } };
  const read = () => db().notification.update({ where: key, data: { readAt: new Date() } });
  await read();
  await untilChangesVisible(server.app);
  const { cursor } = must(await api.changes(ben, { fromNow: true }));
  await read();
  await untilChangesVisible(server.app);
  // Of another course of events, with a number that the reader has behind it.
  await db().$executeRaw`INSERT INTO changes (user_id, kind, id, xid, deleted, at)
    SELECT user_id, 'seat', ${id}, (SELECT max(tide) + 1 FROM events)::text::xid8, true, now() FROM changes
    WHERE user_id = ${ben.id}::uuid LIMIT 1`;
  const { items } = await allChanges(api.changes, ben, cursor);
  expect(items.map(({ kind }) => kind).sort()).toEqual(['notification', 'seat']);
});

it('ends streams with a code where their event is lost, and no others', async () => {
  const eve = await register(server.http, 'eve');
  const { id } = await begin(api, ann, ben);
  const [own, bens, eves] = [
    await stream('me/events', ann),
    await stream('me/events', ben),
    await stream('me/events', eve),
  ];
  const socket = kept(await openSocket(server, ann));
  const watch = socket.send('subscription { myEvents { id } }');
  await pause(300);
  must(await api.makeMove(ann, id, 1, 'e2e4'));
  await Promise.all([own, bens].map((each) => each.next()));
  await watch.next();
  const { username } = await register(server.http, 'fay');
  must(await api.blockUser(eve, username));
  await eves.next();
  await untilChangesVisible(server.app);
  await db().$executeRaw`DELETE FROM events WHERE user_id = ${eve.id}::uuid`;
  await db().$executeRaw`DELETE FROM events WHERE game_id = ${id}::uuid AND version = 2`;
  const problem = { code: 'CURSOR_EXPIRED', status: 410, field: 'after' };
  for (const each of [own, bens, eves]) expect(await ended(each)).toMatchObject(problem);
  expect(await lastWords(watch)).toBe('CURSOR_EXPIRED');
});

it('starts anew when the database was restored in another cluster', async () => {
  await begin(api, ann, ben);
  const after = await positions(ann);
  const listed = must(await api.changes(ann)).items;
  await db().$executeRaw`UPDATE event_state SET cluster = 'elsewhere'`;
  await server.app.get(ChangesService).onApplicationBootstrap();
  expect(await api.changes(ann, { since: after[0]! })).toMatchObject(EXPIRED);
  for (const from of after) expect(await api.myEvents(ann, { after: from })).toMatchObject(EXPIRED);
  expect(must(await api.myEvents(ann)).items).toEqual([]);
  await untilChangesVisible(server.app);
  const { items, cursor } = must(await api.changes(ann));
  expect(items.map(({ kind }) => kind).sort()).toEqual(listed.map(({ kind }) => kind).sort());
  expect(must(await api.changes(ann, { since: cursor })).items).toEqual([]);
});

onServer('the events of a game', () => {
  it('end with a code where a version is lost, also when it comes again', async () => {
    const session = await openServerSession(server.config.databaseUrl!, 'halfmove tests');
    kept(session);
    const { id } = await begin(api, ann, ben);
    must(await api.makeMove(ann, id, 1, 'e2e4'));
    const path = `games/${id}/events`;
    const [before, behind] = [await stream(path, null), await stream(path, null)];
    const socket = kept(await openSocket(server, null));
    // With a place to begin at, since nothing tells that it has begun.
    const after = must(await api.gameEvents(null, id)).items.at(-1)!.id;
    const watch = socket.send('subscription ($id: ID!, $after: String) { gameEvents(gameId: $id, after: $after) { version } }', { id, after }); // prettier-ignore
    const seen = socket.watch(id, '{ version lastMove { move } }');
    await seen.next();
    before.close();
    const cursors = await lost(session, id, async () => {
      must(await api.makeMove(ben, id, 2, 'e7e5'));
      await Promise.all([behind.next(), watch.next(), seen.next()]);
      return must(await api.gameEvents(null, id))
        .items.slice(-2)
        .map((event) => event.id);
    });
    must(await api.makeMove(ben, id, 2, 'c7c5'));
    expect(await ended(behind)).toMatchObject({ code: 'CURSOR_EXPIRED', field: 'after' });
    expect(await lastWords(watch)).toBe('CURSOR_EXPIRED');
    expect(must(await api.gameEvents(null, id, { after: cursors[0]! })).items).toMatchObject([
      { version: 3 },
    ]);
    expect(await api.gameEvents(null, id, { after: cursors[1]! })).toMatchObject(EXPIRED);
    // Whoever watches the game itself sees it as it is now.
    for (;;) {
      const { data } = await seen.next();
      if (JSON.stringify(data).includes('c7c5')) break;
    }
  });
});
