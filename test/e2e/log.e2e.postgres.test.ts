import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { EndEntry } from '../../src/fairness/log-entry.js';
import { consistencyProof, isConsistent } from '../../src/fairness/tlog.js';
import { GamesService } from '../../src/features/games/games.service.js';
import { ChallengesService } from '../../src/features/matchmaking/challenges.service.js';
import { LogOrder } from '../../src/features/transparency/log-order.js';
import { LogStore } from '../../src/features/transparency/log.store.js';
import { LogService } from '../../src/features/transparency/log.service.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi } from '../support/api.js';
import { expectProven, readCheckpoint, readLog } from '../support/log.js';
import { type Person, register } from '../support/people.js';
import { begin, NO_CLOCK } from '../support/play.js';
import { ownTerms } from '../support/seeks.js';
import { startServer, type TestServer } from '../support/server.js';
import { must } from '../support/transport.js';

/** The log of all games: it contains each opening and each end once, with proofs, and nothing of running games. */
// Both databases: the log grows under a lock.

let server: TestServer;
let api: Api;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  server = await startServer({ MAX_OPEN_CHALLENGES: '10000' });
  api = restApi(server.http);
  [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
});
afterAll(() => server.close());

const append = () => server.app.get(LogService).append();
const db = () => server.app.get(PrismaService).db;
const get = (path: string) => fetch(`${server.url}/${path}`);

/** A challenge of Ann to Ben. */
const challenge = async (): Promise<string> =>
  must(await api.createChallenge(ann, { ruleset: 'chess', timeControl: NO_CLOCK, opponent: ben.username }))
    .id;

/** What happens to it, and what the log then shows. */
const WAYS: Readonly<Record<string, readonly [() => Promise<string>, Partial<EndEntry>]>> = {
  'is played to its end': [
    async () => {
      const { id } = await begin(api, ann, ben);
      await api.makeMove(ann, id, 1, 'e2e4');
      await api.makeMove(ben, id, 2, 'e7e5');
      must(await api.resign(ann, id));
      return id;
    },
    { end: 'finished', by: null, outcome: { winner: 'second', reason: 'resignation' } },
  ],
  'is aborted by its creator': [
    async () => {
      const { id } = await begin(api, ann, ben, { seat: 'second' });
      must(await api.abort(ann, id));
      return id;
    },
    { end: 'aborted', by: 'creator', outcome: { winner: null, reason: 'aborted' } },
  ],
  'is aborted by its accepter': [
    async () => {
      const { id } = await begin(api, ann, ben);
      must(await api.abort(ben, id));
      return id;
    },
    { end: 'aborted', by: 'accepter', outcome: { winner: null, reason: 'aborted' } },
  ],
  'is adjudicated by the operator': [
    async () => {
      const { id } = await begin(api, ann, ben);
      await server.app.get(GamesService, { strict: false }).adjudicate(id, 'By mail.');
      return id;
    },
    { end: 'aborted', by: 'operator', outcome: { winner: null, reason: 'aborted' } },
  ],
  'is declined': [
    async () => {
      const id = await challenge();
      must(await api.declineChallenge(ben, id));
      return id;
    },
    { end: 'declined', by: null, outcome: null },
  ],
  'is countered': [
    async () => {
      const id = await challenge();
      must(await api.counterChallenge(ben, id, { ruleset: 'chess', timeControl: NO_CLOCK, rated: false }));
      return id;
    },
    { end: 'countered', by: null, outcome: null },
  ],
  'is cancelled': [
    async () => {
      const id = await challenge();
      must(await api.cancelChallenge(ann, id));
      return id;
    },
    { end: 'cancelled', by: null, outcome: null },
  ],
  'joins the game of another seek': [
    async () => {
      const terms = ownTerms();
      const older = must(await api.createSeek(ann, terms));
      const { gameId } = must(await api.createSeek(ben, terms));
      expect(gameId).toBe(older.id);
      const { id } = await db().challenge.findFirstOrThrow({ where: { gameId, NOT: { id: gameId! } } });
      return id;
    },
    { end: 'joined', by: null, outcome: null },
  ],
  expires: [
    async () => {
      const id = await challenge();
      await db().challenge.update({ where: { id }, data: { expiresAt: new Date(0) } });
      await server.app.get(ChallengesService, { strict: false }).expire();
      return id;
    },
    { end: 'expired', by: null, outcome: null },
  ],
};

test('an empty log has a checkpoint', async () => {
  expect(await readLog(server.url)).toEqual([]);
  expect((await get('log/tile/0/000.p/1')).status).toBe(404);
});

test.each(Object.entries(WAYS))('a challenge that %s', async (_, [happen, told]) => {
  const id = await happen();
  await append();
  const entries = (await readLog(server.url)).filter(({ game }) => game === id);
  const { commitment } = await db().challenge.findUniqueOrThrow({ where: { id } });
  expect(entries).toEqual([
    { type: 'open', game: id, commitment, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    {
      ...{ type: 'end', game: id, ...told },
      serverSeed: expect.stringMatching(/^[0-9a-f]{64}$/),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ]);
  const { serverSeed } = entries[1] as EndEntry;
  expect(createHash('sha256').update(Buffer.from(serverSeed!, 'hex')).digest('hex')).toBe(commitment);
  for (const entry of entries) await expectProven(server.url, entry);
  const { headHash } = (await db().game.findUnique({ where: { id } })) ?? {};
  if (headHash != null) expect(entries[1]!.hash).toBe(headHash);
});

test('shows the opening of a running game, and nothing of its seed', async () => {
  const { id } = await begin(api, ann, ben, { ruleset: 'banqi-taiwan' });
  await append();
  await append();
  const all = await readLog(server.url);
  expect(all.filter(({ game }) => game === id).map(({ type }) => type)).toEqual(['open']);
  // A published seed belongs to an ended game.
  const told = all.flatMap((entry) => (entry.type === 'end' ? [entry.game] : []));
  const running = await db().game.findMany({ where: { endedAt: null } });
  const open = await db().challenge.findMany({ where: { status: 'open' } });
  expect(running.length).toBeGreaterThan(0);
  for (const row of [...running, ...open]) expect(told).not.toContain(row.id);
  expect(await (await get(`v1/games/${id}/log-proof`)).json()).toMatchObject({
    code: 'NOT_FOUND',
    detail: expect.stringContaining('because it is not over'),
  });
  must(await api.resign(ann, id));
});

test('asks to retry for what is not logged yet, and answers not found for the rest', async () => {
  const id = await challenge();
  const answer = await get(`v1/games/${id}/log-proof?entry=open`);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([404, '3']);
  expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('Try again in 3 seconds') });
  const nothing = await get(`v1/games/${randomUUID()}/log-proof`);
  expect(await nothing.json()).toMatchObject({
    code: 'NOT_FOUND',
    detail: expect.stringContaining('No game'),
  });
  expect((await get(`v1/games/${id}/log-proof?entry=middle`)).status).toBe(400);
  expect((await get('v1/games/x/log-proof')).status).toBe(404);
});

test('tiles can be cached forever, checkpoints briefly, and missing ones not at all', async () => {
  await append();
  const { size } = await readCheckpoint(server.url);
  const kept = async (path: string) => {
    const { status, headers } = await get(`log/${path}`);
    return [status, headers.get('content-type'), headers.get('cache-control')];
  };
  expect(await kept('checkpoint')).toEqual([200, 'text/plain; charset=utf-8', 'public, max-age=1']);
  const tile = [200, 'application/octet-stream', 'public, max-age=31536000, immutable'];
  for (const path of [`tile/0/000.p/${size}`, 'tile/0/000.p/1', `tile/entries/000.p/${size}`]) {
    expect([path, await kept(path)]).toEqual([path, tile]);
  }
  for (const path of [
    ...[
      `tile/0/000.p/${size + 1}`,
      'tile/0/000',
      'tile/0/001.p/1',
      'tile/1/000.p/1',
      'tile/63/x999/x999/000',
    ],
    ...['tile/0/0', 'tile/0/000.p/0', 'tile/x', 'tile/entries/x000/000', 'tile/0/..%2f000', 'tile/0/000/'],
  ]) {
    const [status, type, cache] = await kept(path);
    expect([path, status, type, cache]).toEqual([
      path,
      404,
      'application/problem+json; charset=utf-8',
      'no-store',
    ]);
  }
});

test('orders simultaneous entries: openings as they were created, before ends', async () => {
  const before = (await readLog(server.url)).length;
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push(await challenge());
  for (const id of [...ids].reverse()) must(await api.cancelChallenge(ann, id));
  await append();
  const added = (await readLog(server.url)).slice(before);
  expect(added.filter(({ type }) => type === 'open').map(({ game }) => game)).toEqual(ids);
  expect(added.map(({ type }) => type)).toEqual([...ids.map(() => 'open'), ...ids.map(() => 'end')]);
});

test('only grows, into a second level of tiles', async () => {
  const older = await readCheckpoint(server.url);
  for (let i = 0; i < 260; i += 20) await Promise.all(Array.from({ length: 20 }, challenge));
  await append();
  const entries = await readLog(server.url);
  expect(entries.length).toBeGreaterThan(256);
  expect(new Set(entries.map(({ type, game }) => `${type} ${game}`)).size).toBe(entries.length);
  const newer = await readCheckpoint(server.url);
  const proof = await server.app
    .get(LogStore, { strict: false })
    .reading((read) => consistencyProof(older.size, newer.size, read));
  expect(isConsistent(older, newer, proof)).toBe(true);
  await expectProven(server.url, entries[3]!);
  await expectProven(server.url, entries.at(-1)!);
});

test('logs once what is queued again or twice', async () => {
  const id = await challenge();
  const again = { isEnd: false, gameId: id };
  await db().unlogged.create({ data: { ...again, at: new Date(1) } });
  await append();
  await db().unlogged.create({ data: { ...again, at: new Date(2) } });
  await append();
  expect((await readLog(server.url)).filter(({ game }) => game === id)).toHaveLength(1);
  expect(await db().unlogged.count()).toBe(0);
});

test('of two challenges the earlier is the one whose opening is logged first, or will be', async () => {
  const earlier = (one: string, other: string) =>
    server.app
      .get(PrismaService)
      .transaction((tx) => server.app.get(LogOrder, { strict: false }).earlier(tx, one, other));
  const [one, two] = [await challenge(), await challenge()];
  expect([await earlier(one, two), await earlier(two, one)]).toEqual([one, one]);
  // The newer one was logged first because it was committed first.
  const [row] = await db().unlogged.findMany({ where: { gameId: one } });
  await db().unlogged.delete({ where: { isEnd_at_gameId: row! } });
  await append();
  expect([await earlier(one, two), await earlier(two, one)]).toEqual([two, two]);
  await db().unlogged.create({ data: row! });
  await append();
  expect(await earlier(one, two)).toBe(two);
});

test('is written within seconds by itself', async () => {
  const own = await startServer({ LOG_SECONDS: '1' });
  try {
    const person = await register(own.http, 'cid');
    const { id } = must(await restApi(own.http).createSeek(person, ownTerms()));
    const known = async () => (await fetch(`${own.url}/v1/games/${id}/log-proof?entry=open`)).status;
    for (let tries = 0; (await known()) !== 200; tries++) {
      expect(tries).toBeLessThan(50);
      await pause(100);
    }
  } finally {
    await own.close();
  }
});

test('a seek that joined another has no record: the error names the game', async () => {
  const [terms, settled] = [ownTerms(), await begin(api, ann, ben)];
  const { id: gameId } = must(await api.createSeek(ann, terms));
  must(await api.createSeek(ben, terms));
  const { id } = await db().challenge.findFirstOrThrow({ where: { gameId, NOT: { id: gameId } } });
  for (const by of [null, ann]) {
    const { refusal, message } = await api.record(by, id);
    expect(refusal).toEqual({ code: 'NOT_FOUND', field: 'id' });
    expect(message).toContain(gameId);
  }
  // An open seek is not a game, and neither is an open challenge.
  const open = must(await api.createSeek(ann, ownTerms()));
  for (const none of [open.id, await challenge()]) {
    expect((await api.record(ann, none)).message).toMatch(/No game has the id/);
  }
  expect(must(await api.record(null, settled.id))).toMatchObject({ id: settled.id });
});
