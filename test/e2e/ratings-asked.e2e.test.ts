import { RatingsService } from '../../src/features/ratings/ratings.service.js';
import { RatingsStore } from '../../src/features/ratings/ratings.store.js';
import { type Api, graphqlApi, restApi, VERBS } from '../support/api.js';
import { startStopped } from '../support/pair.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import type { TestServer } from '../support/server.js';
import type { Game } from '../support/api-types.js';
import { type Body, must, select } from '../support/transport.js';

/** Requests about ratings of users and games, and which are refused. */

const MATE = ['f2f3', 'e7e5', 'g2g4', 'd8h4'];
const RATED = { rated: true };

let server: TestServer;
beforeAll(async () => {
  [server] = await startStopped();
});
afterAll(() => server.close());

const WAYS = [
  ['GraphQL', graphqlApi, graphqlApi],
  ['REST', restApi, restApi],
] as const;

describe.each(WAYS)('over %s', (_, over, ratingsOver) => {
  let api: Api;
  let ann: Person;
  let ben: Person;
  beforeEach(async () => {
    [api, api] = [over(server.http), ratingsOver(server.http)];
    [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
  });

  const after = async (moves: readonly string[]): Promise<Game> =>
    playMoves(api, await begin(api, ann, ben, RATED), moves, { first: ann, second: ben });
  const of = async (person: Person) => must(await api.ratings(null, person.username))!;

  it('the history is a chain that can be read from either end', async () => {
    const ids: string[] = [];
    for (let games = 0; games < 5; games++) {
      const game = await after(['e2e4', 'e7e5']);
      ids.push(game.id);
      await api.resign(games % 2 === 0 ? ann : ben, game.id);
    }
    const all = must(await api.ratingHistory(null, ann.username, 'chess')).edges.map(({ node }) => node);
    expect(all.map(({ number, gameId }) => [number, gameId])).toEqual(ids.map((id, i) => [i + 1, id]));
    all.reduce((before, { rating, change }) => {
      expect(Math.round((before + change) * 100)).toBe(Math.round(rating * 100));
      return rating;
    }, 1500);
    expect(all.at(-1)!.rating).toBe((await of(ann))[0]!.rating);
    const numbers = async (page: Body) => {
      const { edges, pageInfo } = must(await api.ratingHistory(null, ann.username, 'chess', page));
      return { numbers: edges.map(({ node }) => node.number), ...pageInfo };
    };
    const start = await numbers({ first: 2 });
    expect(start).toMatchObject({ numbers: [1, 2], hasNextPage: true, hasPreviousPage: false });
    expect(await numbers({ first: 3, after: start.endCursor })).toMatchObject({
      numbers: [3, 4, 5],
      hasNextPage: false,
      hasPreviousPage: true,
    });
    const end = await numbers({ last: 2 });
    expect(end).toMatchObject({ numbers: [4, 5], hasNextPage: false, hasPreviousPage: true });
    expect(await numbers({ last: 2, before: end.startCursor })).toMatchObject({
      numbers: [2, 3],
      hasNextPage: true,
    });
    expect(await numbers({ after: start.endCursor, before: end.startCursor, first: 9 })).toMatchObject({
      numbers: [3],
    });
    expect(must(await api.ratingHistory(null, ann.username, 'xiangqi')).edges).toEqual([]);
  });

  it('the expected score uses the current ratings', async () => {
    const names = { pool: 'chess', a: ann.username, b: ben.username.toUpperCase() };
    const equal = must(await api.expectedScore(null, names));
    const start = { rating: 1500, deviation: 500, provisional: true, games: 0, ratedAt: null };
    expect(equal).toMatchObject({ score: 0.5, a: start, b: start });
    await api.resign(ben, (await after(['e2e4', 'e7e5'])).id);
    const { score, a, b } = must(await api.expectedScore(null, names));
    expect([a, b]).toEqual([(await of(ann))[0], (await of(ben))[0]]);
    expect(score).toBeGreaterThan(0.6);
    const turned = must(await api.expectedScore(null, { ...names, a: ben.username, b: ann.username }));
    expect(score + turned.score).toBeCloseTo(1, 4);
  });

  it('refuses unknown users, unknown pools and invalid pages', async () => {
    const name = ann.username;
    const unknown = { code: 'NOT_FOUND', field: 'username' };
    const noPool = { code: 'NOT_FOUND', field: 'pool' };
    for (const pool of ['go', 'CHESS', '\u0000', '__proto__']) {
      expect((await api.ratingHistory(null, name, pool)).refusal).toEqual(noPool);
      expect((await api.leaderboard(null, pool)).refusal).toEqual(noPool);
      expect((await api.ratingDistribution(null, pool)).refusal).toEqual(noPool);
      expect((await api.expectedScore(null, { pool, a: name, b: name })).refusal).toEqual(noPool);
    }
    expect((await api.ratingHistory(null, 'nobody-here', 'chess')).refusal).toEqual(unknown);
    expect((await api.ratingHistory(null, '\u0000', 'chess')).refusal).toEqual(unknown);
    const pair = { pool: 'chess', a: name, b: name };
    expect((await api.expectedScore(null, { ...pair, a: 'nobody' })).refusal).toEqual({
      code: 'NOT_FOUND',
      field: 'a',
    });
    expect((await api.expectedScore(null, { ...pair, b: 'nobody' })).refusal).toEqual({
      code: 'NOT_FOUND',
      field: 'b',
    });
    expect((await api.expectedScore(null, { pool: 'chess', a: name })).refusal).toMatchObject({
      code: 'BAD_INPUT',
    });
    expect((await api.leaderboard(null, 'x'.repeat(99))).refusal).toEqual(noPool);
    for (const first of [0, -1, 101]) {
      const refusal = { code: 'BAD_INPUT', field: 'first' };
      expect((await api.ratingHistory(null, name, 'chess', { first })).refusal).toEqual(refusal);
      expect((await api.leaderboard(null, 'chess', { first })).refusal).toEqual(refusal);
    }
    expect((await api.ratingHistory(null, name, 'chess', { first: 1, last: 1 })).refusal).toMatchObject({
      code: 'BAD_INPUT',
    });
    await api.resign(ben, (await after(['e2e4', 'e7e5'])).id);
    const [one] = must(await graphqlApi(server.http).ratingHistory(null, name, 'chess')).edges;
    const cursor = one!.cursor!;
    const invalid = { code: 'INVALID_CURSOR', field: 'after' };
    for (const after of ['', 'x', `${cursor}A`]) {
      expect((await api.ratingHistory(null, name, 'chess', { after })).refusal).toEqual(invalid);
      expect((await api.leaderboard(null, 'chess', { after })).refusal).toEqual(invalid);
    }
    expect((await api.ratingHistory(null, name, 'xiangqi', { after: cursor })).refusal).toEqual(invalid);
    expect((await api.ratingHistory(null, ben.username, 'chess', { after: cursor })).refusal).toEqual(
      invalid,
    );
    expect((await api.leaderboard(null, 'chess', { after: cursor })).refusal).toEqual(invalid);
  });
});

it('an unknown user has no ratings', async () => {
  expect((await restApi(server.http).ratings(null, 'nobody-here')).refusal).toEqual({
    code: 'NOT_FOUND',
    field: 'username',
  });
  expect((await graphqlApi(server.http).ratings(null, 'nobody-here')).data).toBeNull();
});

it('GraphQL shows the rating of a user in any one pool', async () => {
  const ann = await register(server.http, 'ann');
  const ask = (pool: string) =>
    select(
      server.http,
      null,
      VERBS.user.graphql(ann.username),
      `{ rating(pool: "${pool}") { pool { id } rating games provisional } }`,
    );
  const rating = { pool: { id: 'xiangqi' }, rating: 1500, games: 0, provisional: true };
  expect((await ask('xiangqi')).data).toEqual({ rating });
  expect((await ask('go')).refusal).toMatchObject({
    code: 'NOT_FOUND',
    field: 'pool',
  });
});

it('matchmaking gets the ratings of all users, including new ones', async () => {
  const [ann, ben, cid] = await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)));
  const api = restApi(server.http);
  const game = await begin(api, ann!, ben!, RATED);
  await playMoves(api, game, MATE, { first: ann!, second: ben! });
  const of = (ruleset: string) => server.app.get(RatingsService).of([ann!.id, ben!.id, cid!.id], ruleset);
  const standings = await of('chess');
  expect([...standings.keys()]).toEqual([ann!.id, ben!.id, cid!.id]);
  expect(standings.get(ben!.id)!.rating).toBeGreaterThan(1500);
  expect(standings.get(cid!.id)).toMatchObject({ rating: 1500, deviation: 500, provisional: true, games: 0 });
  expect((await of('xiangqi')).get(ben!.id)!.games).toBe(0);
});

it('reads the ratings and changes of a whole page by one statement each', async () => {
  const [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
  const api = restApi(server.http);
  for (let games = 0; games < 3; games++) {
    const game = await begin(api, ann, ben, RATED);
    await playMoves(api, game, MATE, { first: ann, second: ben });
  }
  const store = server.app.get(RatingsStore);
  const read = { pools: 0, changes: 0 };
  const [inAllPools, changesOf] = [store.inAllPools.bind(store), store.changesOf.bind(store)];
  store.inAllPools = (ids) => (read.pools++, inAllPools(ids));
  store.changesOf = (ids) => (read.changes++, changesOf(ids));
  try {
    const fields = `{ edges { node { id ratingChanges { first { change } }
      players { player { ... on User { ratings { rating } rating(pool: "chess") { games } } } } } } }`;
    const games = VERBS.myGames.graphql({ list: 'ended', first: 10 });
    const { edges } = must(await select(server.http, ann, games, fields));
    expect(edges).toHaveLength(3);
    expect(edges[0].node.players[0].player).toMatchObject({ ratings: [{}], rating: { games: 3 } });
    expect(read).toEqual({ pools: 1, changes: 1 });
    const page = await api.myGames(ann, { list: 'ended' });
    expect(page.data.games.map(({ ratingChanges }) => ratingChanges !== null)).toEqual([true, true, true]);
    expect(read).toEqual({ pools: 1, changes: 2 });
  } finally {
    Object.assign(store, { inAllPools, changesOf });
  }
});
