import { randomBytes } from 'node:crypto';
import { Referee } from '../../src/features/games/referee.js';
import { named } from '../../src/features/rulesets/named.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import type { Player } from '../../src/rules/ruleset.js';
import { type Api, graphqlApi, restApi, TRANSPORTS, VERBS } from '../support/api.js';
import { type Made, people, population } from '../support/history-rows.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { random } from '../support/random-games.js';
import { sample, SEED } from '../support/scale.js';
import { SHARED_SETTINGS, startServer, type TestServer } from '../support/server.js';
import { stopTime } from '../support/stopped-time.js';
import { type Body, must, type Response, rest, sendGraphql } from '../support/transport.js';

/** Summaries of a player's games, and which requests about the history are refused. */
// Long: it plays many random cases.
// Both databases: they may sort texts differently.

let server: TestServer;
let finished: Made[];

beforeAll(async () => {
  server = await startServer(SHARED_SETTINGS);
  const { db } = server.app.get(PrismaService);
  const all = await population(db, await people(db, ['ann', 'ben', 'cid', 'dot']), 200, 11);
  await people(db, ['eve']);
  finished = all.filter(({ status }) => status === 'finished');
});
afterAll(() => server.close());

const opposite = (seat: Player): Player => (seat === 'first' ? 'second' : 'first');
const seatOf = (game: Made, name: string): Player => (game.first === name ? 'first' : 'second');
const of = (name: string) => finished.filter((game) => [game.first, game.second].includes(name));
const tally = (games: readonly Made[], name: string) => ({
  games: games.length,
  wins: games.filter((game) => game.winner === seatOf(game, name)).length,
  draws: games.filter(({ winner }) => winner === null).length,
  losses: games.filter((game) => game.winner === opposite(seatOf(game, name))).length,
});
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
const grouped = (games: readonly Made[], name: string, key: 'ruleset' | 'reason') =>
  [...new Set(games.map((game) => game[key]!))]
    .map((value) => ({
      value,
      ...tally(
        games.filter((game) => game[key] === value),
        name,
      ),
    })) // prettier-ignore
    .sort((a, b) => b.games - a.games || (a.value < b.value ? -1 : 1))
    .map(({ value, ...rest }) => ({ [key]: key === 'ruleset' ? named(value) : value, ...rest }));

test('the games of two players against each other come in pages', async () => {
  const all = must(await restApi(server.http).headToHead(null, 'ann', 'ben', { first: 100 }));
  const shown: string[] = [];
  for (let after: string | null = null; ;) {
    const query = `query ($after: String) {
      headToHead(a: "ann", b: "ben") { lastGames(first: 5, after: $after) { edges { node { id } } pageInfo { endCursor hasNextPage } } }
    }`;
    const { body }: Response = await sendGraphql(server.http, query, { after });
    const { edges, pageInfo } = body.data.headToHead.lastGames;
    shown.push(...edges.map(({ node }: { node: { id: string } }) => node.id));
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor;
  }
  expect(shown).toEqual(all.lastGames.map(({ id }) => id));
  expect(shown.length).toBeGreaterThan(10);
});

describe.each(sample(TRANSPORTS, 'REST'))('over %s', (transport, make) => {
  let api: Api;
  beforeAll(() => {
    api = make(server.http);
  });

  test.each([undefined, 'chess'])('sums up the games of a player (%s)', async (ruleset) => {
    const games = of('ann').filter((game) => ruleset === undefined || game.ruleset === ruleset);
    const seconds = sum(games.map((game) => game.seconds[seatOf(game, 'ann')]));
    const own = sum(games.map((game) => game.own[seatOf(game, 'ann')]));
    const lengths = games.map(({ moves }) => moves.length);
    const { data } = await api.statistics(null, 'ann', ruleset);
    expect(data).toMatchObject({
      user: { username: 'ann' },
      all: tally(games, 'ann'),
      byRuleset: grouped(games, 'ann', 'ruleset'),
      byReason: grouped(games, 'ann', 'reason'),
      bySeat: (['first', 'second'] as const).map((seat) => ({ seat, ...tally(games.filter((game) => seatOf(game, 'ann') === seat), 'ann') })), // prettier-ignore
      plies: { average: expect.closeTo(sum(lengths) / games.length), shortest: Math.min(...lengths), longest: Math.max(...lengths) }, // prettier-ignore
      timeUsed: { total: seconds, perPly: expect.closeTo(seconds / own) },
    });
  });

  test('sums up games by length and by the time used', async () => {
    const { db } = server.app.get(PrismaService);
    const rows = await db.game.findMany({ where: { id: { in: of('cid').map(({ id }) => id) } } });
    const lengths = [0, 19, 20, 39, 40, 60, 80, 119, 120, 500];
    const long = await Promise.all(
      rows.map(({ id }, i) =>
        db.game.update({ where: { id }, data: { plyCount: lengths[i % lengths.length]! } }),
      ),
    );
    const games = of('cid').map((game) => {
      const { plyCount } = long.find(({ id }) => id === game.id)!;
      const seat = seatOf(game, 'cid');
      return { game, plyCount, pace: Math.floor(game.seconds[seat] / Math.max(1, game.own[seat])) };
    });
    const between = (from: number, until: number | null, of: (one: (typeof games)[number]) => number) =>
      tally(
        games.filter((one) => of(one) >= from && (until === null || of(one) < until)).map(({ game }) => game),
        'cid',
      );
    const { data } = await api.statistics(null, 'cid');
    const LENGTHS = [0, 20, 40, 60, 80, 120, null];
    expect(data['byLength']).toEqual(
      LENGTHS.slice(1).map((until, i) => ({
        ...{ fromPlies: LENGTHS[i], untilPlies: until },
        ...between(LENGTHS[i]!, until, ({ plyCount }) => plyCount),
      })),
    );
    const PACES = [0, 3600, 21_600, 86_400, 259_200, null];
    const paces = PACES.slice(1).map((until, i) => ({
      ...{ fromSeconds: PACES[i], untilSeconds: until },
      ...between(PACES[i]!, until, ({ pace }) => pace),
    }));
    expect(data['byTimeUsed']).toEqual(paces);
    expect(paces.filter((tally) => tally.games > 0).length).toBeGreaterThan(2);
    await Promise.all(rows.map(({ id, plyCount }) => db.game.update({ where: { id }, data: { plyCount } })));
  });

  test('sums up a user without finished games', async () => {
    const nothing = { games: 0, wins: 0, draws: 0, losses: 0 };
    expect((await api.statistics(null, 'eve')).data).toMatchObject({
      all: nothing,
      byRuleset: [],
      plies: { average: null, shortest: null, longest: null },
      timeUsed: { total: 0, perPly: null },
    });
    expect((await api.opponents(null, 'eve')).data).toEqual([]);
    expect((await api.headToHead(null, 'eve', 'ann')).data).toMatchObject({ all: nothing, lastGames: [] });
  });

  test('lists the most played opponents', async () => {
    const expected = ['ann', 'cid', 'dot']
      .map((name) => ({ name, games: of('ben').filter((game) => [game.first, game.second].includes(name)) }))
      .map(({ name, games }) => ({ user: { username: name }, ...tally(games, 'ben') }));
    const { data } = await api.opponents(null, 'ben');
    expect(data.map(({ games }) => games)).toEqual(expected.map(({ games }) => games).sort((a, b) => b - a));
    for (const one of expected) {
      expect(data.find(({ user }) => user.username === one.user.username)).toMatchObject(one);
    }
    expect((await api.opponents(null, 'ben', 1)).data).toEqual(data.slice(0, 1));
  });

  test('sums up the games of two players', async () => {
    const games = of('ann').filter((game) => [game.first, game.second].includes('cid'));
    const { data } = await api.headToHead(null, 'ann', 'cid', { first: 3 });
    const last = [...games].sort(
      (a, b) => b.endedAt!.getTime() - a.endedAt!.getTime() || (a.id < b.id ? 1 : -1),
    );
    expect(data).toMatchObject({ all: tally(games, 'ann'), byRuleset: grouped(games, 'ann', 'ruleset') });
    expect(data.lastGames.map(({ id }) => id)).toEqual(last.slice(0, 3).map(({ id }) => id));
    const chess = games.filter(({ ruleset }) => ruleset === 'chess');
    const alone = await api.headToHead(null, 'cid', 'ann', { ruleset: 'chess', first: 100 });
    expect(alone.data.all).toEqual(tally(chess, 'cid'));
    expect(alone.data.lastGames).toHaveLength(chess.length);
  });

  const REFUSED: readonly [string, Body, string, string][] = [
    ['an unknown player', { player: 'nobody' }, 'NOT_FOUND', 'player'],
    ['an invalid name', { player: '\u0000' }, 'NOT_FOUND', 'player'],
    ['an unknown opponent', { player: 'ann', opponent: 'nobody' }, 'NOT_FOUND', 'opponent'],
    ['an opponent without a player', { opponent: 'ann' }, 'BAD_INPUT', 'opponent'],
    ['a seat without a player', { seat: 'first' }, 'BAD_INPUT', 'seat'],
    ['a side without a player', { side: 'first' }, 'BAD_INPUT', 'side'],
    ['a win without a player', { result: 'won' }, 'BAD_INPUT', 'result'],
    ['an unknown rule set', { ruleset: 'go' }, 'INVALID_RULESET', 'ruleset'],
    ['options without a rule set', { options: {} }, 'BAD_INPUT', 'options'],
    [
      'options of another rule set',
      { ruleset: 'chess', options: { toString: 1 } },
      'INVALID_OPTIONS',
      'options',
    ],
    ['moves without a rule set', { opening: 'e2e4' }, 'BAD_INPUT', 'opening'],
    ['invalid moves', { ruleset: 'chess', opening: "e2e4 '; --" }, 'BAD_INPUT', 'opening'],
    ['moves with turn-ups', { ruleset: 'half-chess', opening: 'a1=N' }, 'BAD_INPUT', 'opening'],
    ['an empty list of moves', { ruleset: 'chess', opening: ' ' }, 'BAD_INPUT', 'opening'],
    ['more moves than are kept', { ruleset: 'chess', opening: 'e2e4 '.repeat(17) }, 'BAD_INPUT', 'opening'],
    ['a span that ends before it begins', { createdFrom: '2026-01-02T00:00:00.000Z', createdUntil: '2026-01-01T00:00:00.000Z' }, 'BAD_INPUT', 'createdUntil'], // prettier-ignore
    ['an empty span', { endedFrom: '2026-01-01T00:00:00.000Z', endedUntil: '2026-01-01T00:00:00.000Z' }, 'BAD_INPUT', 'endedUntil'], // prettier-ignore
    ['a negative number of plies', { minPlies: -1 }, 'BAD_INPUT', 'minPlies'],
    ['an empty status', { status: [] }, 'BAD_INPUT', 'status'],
  ];
  test.each(REFUSED)('refuses %s', async (_name, filter, code, field) => {
    const { refusal } = await api.games(null, filter);
    // GraphQL's filter is an input of its own; an empty list is one empty string in an address.
    expect({ ...refusal, field: refusal?.field?.replace(/^filter\./, '') }).toEqual({ code, field });
  });

  test('refuses empty pages, and pages from both ends', async () => {
    for (const page of [{ first: 0 }, { first: 101 }, { last: 101 }, { first: 1, last: 1 }]) {
      expect((await api.games(null, {}, undefined, page)).refusal?.code).toBe('BAD_INPUT');
    }
  });

  test('accepts a cursor only for its own query, unchanged', async () => {
    const by = { by: 'createdAt', direction: 'asc' };
    const { data } = await api.games(null, { player: 'ann' }, by, { first: 1 });
    const cursor = data.pageInfo.endCursor!;
    const flipped = `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`;
    const bytes = Buffer.from(cursor, 'base64url');
    bytes[bytes.length - 3]! ^= 1;
    for (const forged of [
      flipped,
      bytes.toString('base64url'),
      cursor.slice(0, -4),
      `${cursor}=`,
      `${cursor}AAAA`,
      '',
      'x',
      Buffer.from('["games",1,2]').toString('base64url'),
    ]) {
      // prettier-ignore
      for (const page of [{ after: forged }, { before: forged }]) {
        expect((await api.games(null, { player: 'ann' }, by, page)).refusal).toEqual({
          code: 'INVALID_CURSOR',
          field: Object.keys(page)[0],
        });
      }
    }
    const elsewhere: [Body, Body][] = [
      [{ player: 'ben' }, by],
      [{}, by],
      [{ player: 'ann', rated: true }, by],
      [{ player: 'ann' }, { ...by, direction: 'desc' }],
      [{ player: 'ann' }, { ...by, by: 'endedAt' }],
    ];
    for (const [filter, order] of elsewhere) {
      const { refusal } = await api.games(null, filter, order, { after: cursor });
      expect(refusal).toEqual({ code: 'INVALID_CURSOR', field: 'after' });
    }
    expect(
      (await api.games(null, { player: 'ann' }, by, { after: cursor, first: 100 })).refusal,
    ).toBeUndefined();
  });

  test('refuses summaries of unknown users, and of a player against themselves', async () => {
    expect((await api.statistics(null, 'nobody')).refusal).toEqual({ code: 'NOT_FOUND', field: 'username' });
    expect((await api.statistics(null, 'ann', 'go')).refusal?.code).toBe('INVALID_RULESET');
    expect((await api.opponents(null, 'nobody')).refusal).toEqual({ code: 'NOT_FOUND', field: 'username' });
    expect((await api.opponents(null, 'ann', 101)).refusal).toEqual({ code: 'BAD_INPUT', field: 'first' });
    const [a, b] = transport === 'REST' ? ['username', 'opponent'] : ['a', 'b'];
    const refused = async (...names: [string, string]) => (await api.headToHead(null, ...names)).refusal;
    expect(await refused('nobody', 'ann')).toEqual({ code: 'NOT_FOUND', field: a });
    expect(await refused('ann', 'nobody')).toEqual({ code: 'NOT_FOUND', field: b });
    expect(await refused('ann', 'ann')).toEqual({ code: 'BAD_INPUT', field: b });
  });
});

test('refuses words that REST does not know', async () => {
  const search = (query: Body) => rest(server.http, null, { ...VERBS.games.rest({}), query });
  for (const query of [
    { rated: 'yes' },
    { seat: 'white' },
    { side: 'purple' },
    { side: 'white' },
    { orderBy: 'rating' },
    { direction: 'up' },
    { status: 'finished,over' },
    { createdFrom: 'soon' },
    { seconds: '1.5' },
    { options: '[', ruleset: 'chess' },
    { options: '[]', ruleset: 'chess' },
    { nothing: 1 },
  ]) {
    expect((await search(query)).refusal).toMatchObject({ code: 'BAD_INPUT' });
  }
  const found = await search({
    rated: 'true',
    status: 'finished,aborted',
    direction: 'asc',
    options: '{}',
    ruleset: 'chess',
  });
  expect(found.status).toBe(200);
});

describe('games that are played here', () => {
  test('count once they are over, with the time used; an overdue game is never shown as running', async () => {
    const time = stopTime(server.app);
    const api = restApi(server.http);
    const [zoe, yan] = [await register(server.http, 'zoe'), await register(server.http, 'yan')];
    const terms = { timeControl: { type: 'perMove', seconds: 86_400 } };
    const game = await begin(api, zoe, yan, terms);
    for (const [by, ply, move] of [
      [zoe, 1, 'f2f3'],
      [yan, 2, 'e7e5'],
      [zoe, 3, 'g2g4'],
      [yan, 4, 'd8h4'],
    ] as const) {
      // prettier-ignore
      time.forward(ply * 1000);
      await api.makeMove(by, game.id, ply, move);
    }
    const late = await playMoves(api, await begin(api, yan, zoe, terms), ['e2e4', 'e7e5'], { first: yan, second: zoe }); // prettier-ignore
    time.forward(2 * 86_400_000);
    const graphql = graphqlApi(server.http);
    const { data } = await graphql.games(null, { player: zoe.username, opponent: yan.username }, undefined, {
      first: 20,
    });
    expect(data.games.map(({ id, status }) => [id, status])).toEqual([[late.id, 'finished'], [game.id, 'finished']]); // prettier-ignore
    expect(data.games[0]!.lastActivityAt).toBe(late.deadlineAt);
    // Sums count the games whose end is stored.
    await server.app.get(Referee).sweep();
    const { data: zoes } = await graphql.statistics(null, zoe.username);
    expect(zoes).toMatchObject({ all: { games: 2, wins: 1, losses: 1 }, timeUsed: { total: 4 } });
    const { data: yans } = await graphql.statistics(null, yan.username);
    expect(yans).toMatchObject({ all: { games: 2, wins: 1, losses: 1 }, timeUsed: { total: 6 } });
  });

  test('have the mean time of the plies that were made, taken back or in a row', async () => {
    const time = stopTime(server.app);
    const api = restApi(server.http);
    const [fay, gus] = [await register(server.http, 'fay'), await register(server.http, 'gus')];
    const { id } = await begin(api, fay, gus);
    for (const move of ['e2e4', 'd2d4', 'c2c4', 'b2b4', 'a2a4']) {
      time.forward(3_600_000);
      must(await api.makeMove(fay, id, 1, move));
      if (move === 'a2a4') break;
      must(await api.plain(fay, 'offerTakeback', id));
      must(await api.plain(gus, 'acceptTakeback', id));
    }
    must(await api.resign(gus, id));
    const graphql = graphqlApi(server.http);
    const timeUsed = async ({ username }: Person) =>
      (await graphql.statistics(null, username)).data['timeUsed'];
    expect(await timeUsed(fay)).toEqual({ total: 18_000, perPly: 3600 });

    const options = { multipleCaptures: true, darkCaptures: true };
    let game = await begin(api, fay, gus, { ruleset: 'banqi-taiwan', options });
    const pick = random(SEED);
    while (game.turn !== null && game.plyCount < 60) {
      const by = game.turn === 'first' ? fay : gus;
      const moves = must(await api.legalMoves(by, game.id)).map(({ move }) => move);
      time.forward((1 + pick(100)) * 1000);
      game = must(await api.makeMove(by, game.id, game.plyCount + 1, moves[pick(moves.length)]!));
    }
    if (game.turn !== null) must(await api.resign(fay, game.id));
    for (const [player, seat] of [
      [fay, 'first'],
      [gus, 'second'],
    ] as const) {
      const plies = await server.app.get(PrismaService).db.ply.findMany({ where: { gameId: { in: [id, game.id] }, player: seat } }); // prettier-ignore
      const total = sum(plies.map((ply) => ply.timeUsed));
      expect(await timeUsed(player)).toEqual({ total, perPly: expect.closeTo(total / plies.length) });
    }
  });

  test('count against the player who aborted them, or withheld a seed', async () => {
    const time = stopTime(server.app);
    const api = restApi(server.http);
    const [dan, eva] = [await register(server.http, 'dan'), await register(server.http, 'eva')];
    const terms = { ruleset: 'half-chess', timeControl: { type: 'perMove', seconds: 86_400 } };
    await api.abort(dan, (await begin(api, dan, eva, terms)).id);
    await api.abort(eva, (await begin(api, dan, eva, terms)).id);
    const clientSeedHash = randomBytes(32).toString('hex');
    expect((await begin(api, eva, dan, { ...terms, clientSeedHash })).status).toBe('pending');
    time.forward(2 * 86_400_000);
    await server.app.get(Referee).sweep();
    const graphql = graphqlApi(server.http);
    const calledOff = async ({ username }: Person) =>
      (await graphql.statistics(null, username)).data['calledOff'];
    expect([await calledOff(dan), await calledOff(eva)]).toEqual([1, 2]);
  });
});
