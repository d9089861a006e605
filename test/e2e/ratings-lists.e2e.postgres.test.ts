import { v7 as uuid } from 'uuid';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { DAY_MS } from '../../src/features/ratings/glicko.js';
import { RatingsService } from '../../src/features/ratings/ratings.service.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { type Body, must } from '../support/transport.js';
import { SHARED_SETTINGS, startServer, type TestServer } from '../support/server.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';

/** Leaderboards and distributions of pools whose players are written directly into the database. */
// Both databases: they may sort texts differently.

let server: TestServer;
let time: StoppedTime;
beforeAll(async () => {
  server = await startServer(SHARED_SETTINGS);
  time = stopTime(server.app);
});
afterAll(() => server.close());

interface Player {
  readonly rating: number;
  readonly deviation?: number;
  /** Days before now. */
  readonly last?: number;
  /** Days from now; null if not listed. */
  readonly until?: number | null;
}

/** Each under a name of its own, in the order of their ids; returns the ids. */
async function settle(ruleset: string, players: readonly Player[]): Promise<readonly string[]> {
  const { db } = server.app.get(PrismaService);
  const at = (days: number) => new Date(time.now().getTime() + days * DAY_MS);
  const ids = players.map(() => uuid());
  await db.user.createMany({
    data: ids.map((id) => ({
      id,
      username: `u${id.replaceAll('-', '').slice(-24)}`,
      displayName: 'Somebody',
      passwordHash: '',
      createdAt: at(0),
    })),
  });
  await db.rating.createMany({
    data: players.map(({ rating, deviation = 60, last = 0, until = 30 }, i) => ({
      userId: ids[i]!,
      ruleset,
      rating,
      deviation,
      volatility: 0.09,
      games: 3,
      wins: 1,
      draws: 1,
      losses: 1,
      ratedAt: at(-last),
      listedUntil: until === null ? null : at(until),
    })),
  });
  return ids;
}

const POOLS = { GraphQL: ['chess', 'xiangqi'], REST: ['half-chess', 'banqi-taiwan'] } as const;

describe.each(TRANSPORTS)('over %s', (name, over) => {
  const [pool, other] = POOLS[name];
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  const page = async (query: Body = {}) => {
    const { edges, pageInfo } = must(await api.leaderboard(null, pool, query));
    return {
      places: edges.map(({ node }) => [node.rank, node.user.id, node.rating.rating] as const),
      ...pageInfo,
    };
  };

  it('the strongest come first, equal ratings share a rank, and provisional or inactive players are omitted', async () => {
    expect(await page()).toMatchObject({ places: [], hasNextPage: false, endCursor: null });
    const tie = 1700.123456789;
    const ids = await settle(pool, [
      { rating: 2000, until: null },
      { rating: 1600 },
      { rating: tie },
      { rating: 1900, until: 0 },
      { rating: tie },
      { rating: 1800 },
      { rating: tie },
      { rating: 1600.001 },
    ]);
    await settle(other, [{ rating: 2500 }]);
    const expected = [
      [1, ids[5], 1800],
      [2, ids[2], 1700.12],
      [2, ids[4], 1700.12],
      [2, ids[6], 1700.12],
      [5, ids[7], 1600],
      [6, ids[1], 1600],
    ];
    expect((await page()).places).toEqual(expected);
    // With any page size: ties cross the page ends.
    for (const first of [1, 2, 3, 5]) {
      const places = [];
      for (let after: string | null = null, more = true; more;) {
        const read = await page({ first, ...(after === null ? {} : { after }) });
        expect([after !== null, undefined]).toContain(read.hasPreviousPage);
        places.push(...read.places);
        [after, more] = [read.endCursor, read.hasNextPage];
      }
      expect(places).toEqual(expected);
    }
    const [place] = must(await api.leaderboard(null, pool, { first: 1 })).edges;
    expect(place!.node.rating).toMatchObject({
      pool: { id: pool },
      deviation: 60,
      provisional: false,
      games: 3,
    });
  });

  it('lists a player no longer than documented, with or without a sweep', async () => {
    const ranks = async () => (await page()).places.map(([rank]) => rank);
    const listed = () =>
      server.app.get(PrismaService).db.rating.count({ where: { ruleset: pool, listedUntil: { not: null } } });
    const [first] = await settle(pool, [{ rating: 3000, until: 1 }]);
    expect((await page({ first: 1 })).places).toEqual([[1, first, 3000]]);
    time.forward(DAY_MS);
    expect(await ranks()).toEqual([1, 2, 2, 2, 5, 6]);
    expect(await listed()).toBe(8);
    await server.app.get(RatingsService).unlist();
    expect(await ranks()).toEqual([1, 2, 2, 2, 5, 6]);
    expect(await listed()).toBe(6);
    time.forward(30 * DAY_MS);
    expect(await ranks()).toEqual([]);
  });

  it('the distribution counts all players with a rated game, provisional ones separately, as of now', async () => {
    const empty = must(await api.ratingDistribution(null, 'xiangqi-tournament'));
    expect(empty).toMatchObject({ players: 0, provisional: 0, bins: [] });
    const before = must(await api.ratingDistribution(null, other));
    await settle(other, [
      { rating: 1500, deviation: 200, until: null },
      { rating: 1549.99, deviation: 110 },
      { rating: 1550, deviation: 110, last: 1 },
      { rating: 1450, deviation: 60, last: 364, until: null },
      { rating: 1350, deviation: 60, last: 366, until: null },
    ]);
    // Counted once a minute.
    expect(must(await api.ratingDistribution(null, other))).toEqual(before);
    time.forward(60_000);
    const { bins, players, provisional, at } = must(await api.ratingDistribution(null, other));
    expect(at).toBe(time.now().toISOString());
    const of = (from: number) => bins.find((bin) => bin.from === from);
    expect(of(1350)).toEqual({ from: 1350, to: 1400, players: 1, provisional: 1 });
    expect(of(1400)).toEqual({ from: 1400, to: 1450, players: 0, provisional: 0 });
    expect(of(1450)).toEqual({ from: 1450, to: 1500, players: 1, provisional: 0 });
    // After a minute the deviation of 110 has grown.
    expect(of(1500)).toEqual({ from: 1500, to: 1550, players: 2, provisional: 2 });
    expect(of(1550)).toEqual({ from: 1550, to: 1600, players: 1, provisional: 1 });
    expect(of(2500)).toMatchObject({ players: 1, provisional: 0 });
    expect(bins.map(({ from }) => from)).toEqual(bins.map((_, i) => 1350 + 50 * i));
    expect([players, provisional]).toEqual([6, 4]);
  });
});

it('a rating exactly between steps is in the upper one, and the lowest rating in the first', async () => {
  await settle('banqi-hongkong', [{ rating: 400 }, { rating: 449.999 }, { rating: 450 }]);
  const { bins } = must(await restApi(server.http).ratingDistribution(null, 'banqi-hongkong'));
  expect(bins.map(({ from, players }) => [from, players])).toEqual([
    [400, 2],
    [450, 1],
  ]);
});
