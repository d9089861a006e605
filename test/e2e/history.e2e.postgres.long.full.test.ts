import fc from 'fast-check';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, TRANSPORTS } from '../support/api.js';
import {
  BEGINNING,
  type Filter,
  type Made,
  type Ordering,
  people,
  population,
  searched,
} from '../support/history-rows.js';
import { SHARED_SETTINGS, startServer, type TestServer } from '../support/server.js';
import { runs } from '../support/scale.js';
import { statementsOf } from '../support/statements.js';
import { send } from '../support/transport.js';

/** The history, compared with a search that looks at every game. */
// Long: it plays many random cases.
// Both databases: they may sort texts and plan searches differently.

const NAMES = ['ann', 'ben', 'cid', 'dot'];

let server: TestServer;
let all: Made[];
let users: Map<string, string>;
const apis: Api[] = [];

beforeAll(async () => {
  // A query may not ask for pages of 100 with every field.
  server = await startServer({ ...SHARED_SETTINGS, MAX_QUERY_COST: '60000' });
  const { db } = server.app.get(PrismaService);
  users = await people(db, NAMES);
  // Enough that a search through the ended games goes beyond its first batch.
  all = await population(db, users, 500, 7);
  apis.push(...TRANSPORTS.map(([, make]) => make(server.http)));
});
afterAll(() => server.close());

const moment = fc
  .integer({ min: 0, max: 100 })
  .map((second) => new Date(BEGINNING + second * 1000).toISOString());
const openings = fc
  .tuple(fc.nat(299), fc.integer({ min: 1, max: 6 }))
  .map(([i, many]) => ({ ruleset: all[i]!.ruleset, moves: all[i]!.moves.slice(0, many) }))
  .filter(({ moves }) => moves.length > 0);

const PARTS = {
  rated: fc.boolean(),
  status: fc.subarray(['finished', 'aborted', 'active', 'pending'], { minLength: 1 }),
  reason: fc.constantFrom('resignation', 'timeout', 'agreement', 'aborted'),
  result: fc.constantFrom('firstWon', 'secondWon', 'drawn'),
  timeControl: fc.constantFrom('none', 'perMove', 'bank'),
  seconds: fc.constantFrom(86_400, 259_200, 5),
  initial: fc.constant(86_400),
  increment: fc.constantFrom(3_600, 60),
  createdFrom: moment,
  createdUntil: moment,
  endedFrom: moment,
  endedUntil: moment,
  lastActivityFrom: moment,
  lastActivityUntil: moment,
  minPlies: fc.nat(14),
};
const players = fc.oneof(
  fc.constant({}),
  fc.record(
    {
      player: fc.constantFrom(...NAMES),
      opponent: fc.constantFrom(...NAMES),
      seat: fc.constantFrom('first' as const, 'second' as const),
      result: fc.constantFrom('won', 'lost', 'drawn'),
    },
    { requiredKeys: ['player'] },
  ),
);
const games = fc.oneof(
  fc.constant({}),
  fc.record({
    ruleset: fc.constantFrom('chess', 'xiangqi', 'banqi-taiwan', 'half-chess', 'half-court-chess'),
  }),
  fc.constant({ ruleset: 'banqi-taiwan', options: {} }),
);

/** Few conditions at a time: most games meet some of them. */
const thinned = fc
  .tuple(fc.record(PARTS), fc.subarray(Object.keys(PARTS), { maxLength: 4 }))
  .map(([given, kept]): Filter =>
    Object.fromEntries(Object.entries(given).filter(([name]) => kept.includes(name))),
  );
const isSound = ({
  createdFrom,
  createdUntil,
  endedFrom,
  endedUntil,
  lastActivityFrom,
  lastActivityUntil,
}: Filter) =>
  [
    [createdFrom, createdUntil],
    [endedFrom, endedUntil],
    [lastActivityFrom, lastActivityUntil],
  ].every(([from, until]) => from === undefined || until === undefined || from < until);
const filters = fc
  .tuple(thinned, players, games)
  .map(([one, two, three]): Filter => ({ ...one, ...two, ...three }))
  .filter(isSound);
const orders: fc.Arbitrary<Ordering> = fc.record({
  by: fc.constantFrom('createdAt', 'endedAt', 'lastActivityAt'),
  direction: fc.constantFrom('asc', 'desc'),
});

/** The whole list, page by page. */
async function walked(api: Api, filter: Filter, order: Ordering, size: number, backward: boolean) {
  const ids: string[] = [];
  for (let cursor: string | null = null; ;) {
    const page = backward ? { last: size, before: cursor } : { first: size, after: cursor };
    const { data, refusal, text } = await api.games(null, { ...filter }, { ...order }, page);
    if (refusal !== undefined) throw new Error(text);
    const found = data.games.map(({ id }) => id);
    if (backward) ids.unshift(...found);
    else ids.push(...found);
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = data.pageInfo;
    expect(backward ? hasNextPage : hasPreviousPage).toBe(cursor !== null);
    if (!(backward ? hasPreviousPage : hasNextPage)) return ids;
    cursor = backward ? startCursor : endCursor;
  }
}

describe('a search finds what a look at every game finds', () => {
  test('for any filter and order, in pages of any size, from either end', async () => {
    await fc.assert(
      fc.asyncProperty(
        filters,
        orders,
        fc.constantFrom(11, 100),
        fc.boolean(),
        fc.nat(1),
        async (filter, order, size, backward, transport) => {
          const expected = searched(all, filter, order);
          expect(await walked(apis[transport]!, filter, order, size, backward)).toEqual(expected);
        },
      ),
      runs(50),
    );
  }, 240_000);

  test('for the opening moves, including turn-ups', async () => {
    await fc.assert(
      fc.asyncProperty(openings, orders, fc.nat(1), async ({ ruleset, moves }, order, transport) => {
        const filter = { ruleset, opening: moves.join(' ') };
        const expected = searched(all, filter, order);
        expect(expected.length).toBeGreaterThan(0);
        expect(await walked(apis[transport]!, filter, order, 100, false)).toEqual(
          order.by === 'endedAt'
            ? expected.filter((id) => all.find((game) => game.id === id)!.endedAt)
            : expected,
        );
      }),
      runs(15),
    );
  });

  test('matches an opening only at the end of a move', async () => {
    const some = all.find(({ ruleset, moves }) => ruleset === 'banqi-taiwan' && moves.length > 2)!;
    const [first] = some.moves;
    const shorter = { ruleset: 'banqi-taiwan', opening: first!.slice(0, 2) };
    const { data } = await apis[0]!.games(null, shorter, undefined, { first: 100 });
    expect(data.games.length).toBe(searched(all, shorter, { by: 'createdAt', direction: 'asc' }).length);
  });

  test.each([
    ['chess', 'a2', 'malformed'],
    ['chess', 'e2e4 e7e5 e1e3', 'cannotReach'],
    ['banqi-taiwan', 'a1 pass', 'chain'],
    ['banqi-taiwan', 'a1 a1', 'alreadyFaceUp'],
  ])('refuses moves that no game of %s has: %s', async (ruleset, opening, fault) => {
    const field = expect.stringMatching(/^(filter\.)?opening$/) as string;
    for (const api of apis) {
      const { refusal } = await api.games(null, { ruleset, opening });
      expect(refusal).toEqual({ code: 'ILLEGAL_MOVE', field, fault });
    }
    const longer = await apis[1]!.games(null, { ruleset: 'chess', opening: 'f2f3 e7e5 g2g4 d8h4 a2a3' });
    expect(longer.refusal).toEqual({ code: 'GAME_OVER', field });
  });

  test('returns a page between two cursors', async () => {
    const [api] = apis;
    const { data } = await api!.games(null, {}, undefined, { first: 30 });
    const ids = data.games.map(({ id }) => id);
    const head = await api!.games(null, {}, undefined, { first: 5 });
    const more = { after: head.data.pageInfo.endCursor, before: data.pageInfo.endCursor };
    const between = await api!.games(null, {}, undefined, { first: 100, ...more });
    expect(between.data.games.map(({ id }) => id)).toEqual(ids.slice(5, 29));
    expect(between.data.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  test.each([0, 1])('counts when asked to (%i)', async (transport) => {
    const api = apis[transport]!;
    const filter = { player: 'ann', status: ['finished'] };
    const many = searched(all, filter, { by: 'createdAt', direction: 'asc' }).length;
    const { data } = await api.games(null, filter, undefined, { first: 1 }, true);
    expect(data).toMatchObject({ totalCount: many, totalCountCapped: false });
    const later = await api.games(
      null,
      filter,
      undefined,
      { first: 1, after: data.pageInfo.endCursor },
      true,
    );
    expect(later.data.totalCount).toBe(many);
    expect((await api.games(null, filter, undefined, { first: 1 })).data).not.toHaveProperty('totalCount');
  });

  test('shows the same over both transports, and only what is public', async () => {
    const [graphql, rest] = await Promise.all(
      apis.map((api) => api.games(null, { player: 'ben' }, undefined, { first: 20 })),
    );
    expect(rest!.data.games).toMatchObject(graphql!.data.games);
    for (const word of ['Plan', 'note', 'message', '"sealed":', 'firstId'])
      expect(rest!.text).not.toContain(word);
  });
});

test('what is counted apart is counted only if it is asked for', async () => {
  const kinds = { calledOff: 'game_events', totalCount: 'FILTER (WHERE fits)' };
  const counted = async (path: string, body?: object) => {
    const sent = await statementsOf(() => send(server.http, path, body && { method: 'post', body }));
    return Object.entries(kinds).flatMap(([kind, word]) =>
      sent.some((text) => text.includes(word)) ? [kind] : [],
    );
  };
  const graphql = (query: string) => counted('/graphql', { query });
  expect(await graphql('{ statistics(username: "ann") { all { games } timeUsed { perPly } } }')).toEqual([]);
  expect(await graphql('{ statistics(username: "ann") { calledOff } }')).toEqual(['calledOff']);
  expect(await graphql('{ games(first: 1) { edges { node { id } } pageInfo { endCursor } } }')).toEqual([]);
  expect(await graphql('{ games(first: 1) { totalCount } }')).toEqual(['totalCount']);
  expect(await counted('/v1/games?first=1')).toEqual([]);
  expect(await counted('/v1/games?first=1&totalCount=true')).toEqual(['totalCount']);
});

describe('while games are played', () => {
  test('a list by creation has no gaps and no duplicates', async () => {
    const [api] = apis;
    const order = { by: 'createdAt', direction: 'asc' };
    const before = searched(all, {}, { by: 'createdAt', direction: 'asc' });
    const seen: string[] = [];
    for (let cursor: string | null = null, round = 0; ; round += 1) {
      const { data } = await api!.games(null, {}, order, { first: 40, after: cursor });
      seen.push(...data.games.map(({ id }) => id));
      if (!data.pageInfo.hasNextPage) break;
      cursor = data.pageInfo.endCursor;
      if (round < 3) all.push(...(await population(server.app.get(PrismaService).db, users, 5, 100 + round)));
    }
    expect(new Set(seen).size).toBe(seen.length);
    const known = new Set(before);
    expect(seen.filter((id) => known.has(id))).toEqual(before);
  });
});
