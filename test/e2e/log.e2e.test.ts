import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { EndEntry } from '../../src/fairness/log-entry.js';
import { consistencyProof, isConsistent } from '../../src/fairness/tlog.js';
import { GamesService } from '../../src/features/games/games.service.js';
import { ChallengesService } from '../../src/features/matchmaking/challenges.service.js';
import { LogPlaces } from '../../src/features/transparency/log-places.js';
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

/** The log of all games: each opening and each end is in it once, and proven; nothing of games that go on. */
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

/** What becomes of it, and of what the log tells then. */
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
      const { id } = await begin(api, ann, ben, { side: 'second' });
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
  'is called off by whoever runs the server': [
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

test('of a game that goes on there is its opening, and nothing of its seed', async () => {
  const { id } = await begin(api, ann, ben, { ruleset: 'banqi-taiwan' });
  await append();
  await append();
  const all = await readLog(server.url);
  expect(all.filter(({ game }) => game === id).map(({ type }) => type)).toEqual(['open']);
  // A seed that is told is that of something that is over.
  const told = all.flatMap((entry) => (entry.type === 'end' ? [entry.game] : []));
  const running = await db().game.findMany({ where: { endedAt: null } });
  const open = await db().challenge.findMany({ where: { status: 'open' } });
  expect(running.length).toBeGreaterThan(0);
  for (const row of [...running, ...open]) expect(told).not.toContain(row.id);
  expect(await (await get(`v1/games/${id}/log-proof`)).json()).toMatchObject({
    code: 'NOT_FOUND',
    detail: expect.stringContaining('This is not over'),
  });
  must(await api.resign(ann, id));
});

test('what waits to be logged is told to come again, what is nothing is not', async () => {
  const id = await challenge();
  const answer = await get(`v1/games/${id}/log-proof?entry=open`);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([404, '3']);
  expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('again in a few seconds') });
  const nothing = await get(`v1/games/${randomUUID()}/log-proof`);
  expect(await nothing.json()).toMatchObject({
    code: 'NOT_FOUND',
    detail: expect.stringContaining('no game'),
  });
  expect((await get(`v1/games/${id}/log-proof?entry=middle`)).status).toBe(400);
  expect((await get('v1/games/x/log-proof')).status).toBe(400);
  const before = { format: 1, createHash: null, headHash: null, creatorClientSeed: '' };
  await append();
  const old = await db().challenge.create({
    data: {
      ...(await db().challenge.findUniqueOrThrow({ where: { id } })),
      id: randomUUID(),
      ...before,
    } as never,
  });
  expect(await (await get(`v1/games/${old.id}/log-proof`)).json()).toMatchObject({
    detail: expect.stringContaining('before there was a log'),
  });
});

test('tiles may be kept for ever, checkpoints for a moment, and what is not there not at all', async () => {
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

test('what comes at once is in order: openings as they were made, before ends', async () => {
  const before = (await readLog(server.url)).length;
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push(await challenge());
  for (const id of [...ids].reverse()) must(await api.cancelChallenge(ann, id));
  await append();
  const added = (await readLog(server.url)).slice(before);
  expect(added.filter(({ type }) => type === 'open').map(({ game }) => game)).toEqual(ids);
  expect(added.map(({ type }) => type)).toEqual([...ids.map(() => 'open'), ...ids.map(() => 'end')]);
});

test('it only grows, into a second level of tiles', async () => {
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

test('what stands in the queue again, or twice, is logged once', async () => {
  const id = await challenge();
  const again = { isEnd: false, gameId: id };
  await db().unlogged.create({ data: { ...again, at: new Date(1) } });
  await append();
  await db().unlogged.create({ data: { ...again, at: new Date(2) } });
  await append();
  expect((await readLog(server.url)).filter(({ game }) => game === id)).toHaveLength(1);
  expect(await db().unlogged.count()).toBe(0);
});

test('of two challenges the one is earlier whose opening stands first, or will', async () => {
  const earlier = (one: string, other: string) =>
    server.app
      .get(PrismaService)
      .transaction((tx) => server.app.get(LogPlaces, { strict: false }).earlier(tx, one, other));
  const [one, two] = [await challenge(), await challenge()];
  expect([await earlier(one, two), await earlier(two, one)]).toEqual([one, one]);
  // The younger one got into the log first: it was committed first.
  const [row] = await db().unlogged.findMany({ where: { gameId: one } });
  await db().unlogged.delete({ where: { isEnd_at_gameId: row! } });
  await append();
  expect([await earlier(one, two), await earlier(two, one)]).toEqual([two, two]);
  await db().unlogged.create({ data: row! });
  await append();
  expect(await earlier(one, two)).toBe(two);
});

test('by itself it is written within seconds', async () => {
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

test('a seek that joined another one has no record: the refusal names the game', async () => {
  const [terms, settled] = [ownTerms(), await begin(api, ann, ben)];
  const { id: gameId } = must(await api.createSeek(ann, terms));
  must(await api.createSeek(ben, terms));
  const { id } = await db().challenge.findFirstOrThrow({ where: { gameId, NOT: { id: gameId } } });
  for (const by of [null, ann]) {
    const { refusal, message } = await api.record(by, id);
    expect(refusal).toEqual({ code: 'NOT_FOUND', field: 'id' });
    expect(message).toContain(gameId);
  }
  // A seek that nobody has taken is no game, and neither is any other challenge.
  const open = must(await api.createSeek(ann, ownTerms()));
  for (const none of [open.id, await challenge()]) {
    expect((await api.record(ann, none)).message).toMatch(/There is no game with this id/);
  }
  expect(must(await api.record(null, settled.id))).toMatchObject({ id: settled.id });
});
