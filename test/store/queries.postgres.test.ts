import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { insertGames } from '../support/insert-games.mjs';
import { FILTERS, ORDERS, subjectsOf, type Subjects } from '../../bench/queries/filters.mjs';
import { essenceOf, explain, GROWING, isQuery, type Essence } from '../../bench/queries/plans.mjs';
import { restApi, VERBS } from '../support/api.js';
import { type Place, SERVER } from '../support/databases.js';
import type { PageOf } from '../support/operations/history.js';
import { bearer } from '../support/people.js';
import { SEEDED_PASSWORD, seededPlace } from '../support/seeded-database.js';
import { startServer, type TestServer } from '../support/server.js';
import { sentBy, type Statement } from '../support/statements.js';
import { stopTime } from '../support/stopped-time.js';
import { type Body, type By, type Graphql, must, select } from '../support/transport.js';

/**
 * What lists cost: the plans of the server’s statements on a small history of real games. Since a planner rightly scans
 * and sorts whole small tables, that is forbidden here: where it still happens, no index serves the query. A named
 * statement may get a generic or a specific plan: both are checked.
 */
// Both databases: they may plan differently.

const GAMES = 1000;
const FORBIDDEN = { enable_seqscan: 'off', enable_bitmapscan: 'off', jit: 'off' };
const NO_SORTS = { ...FORBIDDEN, enable_sort: 'off' };
const PAGE = 10;
/** With few matches, a varying number of other rows lies between them. */
const MORE_BUFFERS = 60;
const MOST_TIMES = 1.5;
/** Rows read in vain: as many as there are running games, including those of one player. */
const MOST_REMOVED = 50;
/** What most games share is found as well among all games, and the games of two players among those of one. */
const AMONG_OTHERS = ['player, opponent', 'ruleset, rated, minPlies', 'ruleset, reason', 'common reason'];
/** More games than a search looks at for a page. */
const CROWD = 5_000;
/** The most buffers of a search that finds nothing: some 250 running games and 1,250 others are looked at. */
const MOST_IN_VAIN = 4_500;

interface Found {
  readonly edges: readonly unknown[];
  readonly pageInfo: { readonly startCursor: string | null; readonly endCursor: string | null };
}

interface Cost {
  readonly unserved: readonly string[];
  readonly buffers: number;
  readonly removed: number;
}

/** The arguments that select a page of a list. */
type List = (page: PageOf) => readonly [request: Graphql, selection: string];

const describeOnServer = SERVER === undefined ? describe.skip : describe;

describeOnServer('no list costs more as the history grows', () => {
  let place: Place;
  let server: TestServer;
  let database: Client;
  let subjects: Subjects;
  let by: By;

  beforeAll(async () => {
    place = await seededPlace(GAMES);
    server = await startServer({ DATABASE_POOL: '2', SWEEP_SECONDS: '3600' }, place);
    // No running game may run out of time now: its end would be counted as part of a list.
    stopTime(server.app);
    database = new Client({ connectionString: place.databaseUrl! });
    await database.connect();
    subjects = await subjectsOf(database);
    const login = { username: subjects.busy, password: SEEDED_PASSWORD };
    by = bearer(must(await restApi(server.http).login(null, login)));
  });

  afterAll(async () => {
    await database.end();
    await server.close();
    await place.remove();
  });

  async function ask<T>([request, selection]: ReturnType<List>): Promise<T> {
    const { data, refusal } = await select(server.http, by, request, selection);
    expect([request.variables, refusal]).toEqual([request.variables, undefined]);
    return data as T;
  }

  /** One VACUUM leaves pages out that any statement still under way may look at, as one of autovacuum. */
  async function makeAllVisible(table: string): Promise<void> {
    const waiting = `SELECT FROM pg_class WHERE relname = '${table}' AND relallvisible < relpages`;
    do await database.query(`VACUUM ANALYZE ${table}`);
    while ((await database.query(waiting)).rowCount !== 0);
  }

  async function plansOf(statement: Statement): Promise<Essence[]> {
    const modes = statement.name === '' ? [] : (['force_generic_plan'] as const);
    const essences: Essence[] = [];
    for (const mode of ['force_custom_plan', ...modes] as const) {
      essences.push(essenceOf(await explain(database, statement, { mode, settings: NO_SORTS })));
    }
    return essences;
  }

  /** The plans of some work that no index serves, and the buffers that it reads. */
  async function costOf(work: () => Promise<unknown>): Promise<Cost> {
    const unserved: string[] = [];
    let [buffers, removed] = [0, 0];
    for (const statement of (await sentBy(work)).filter(isQuery)) {
      const plans = await plansOf(statement);
      for (const { scanned, endlessSorts } of plans) {
        unserved.push(...scanned.filter((table) => GROWING.includes(table)), ...endlessSorts);
      }
      buffers += Math.max(...plans.map((plan) => plan.buffers));
      removed += Math.max(...plans.map((plan) => plan.removed));
    }
    return { unserved, buffers, removed };
  }

  const gamesOf =
    (filter: Body, order?: Body): List =>
    (page) => [
      VERBS.games.graphql(filter, order, { ...page }),
      '{ edges { cursor } pageInfo { startCursor endCursor } }',
    ];

  /** Those of the first page, one far behind it, and the same from the other end; expected to be none. */
  async function faultsOf(list: List, mostRemoved = MOST_REMOVED): Promise<string[]> {
    const page = (of: PageOf) => ask<Found>(list(of));
    const [{ pageInfo: top }, { pageInfo: bottom }] = [await page({ first: 5 * PAGE }), await page({ last: 5 * PAGE })]; // prettier-ignore
    const pages = [{ first: PAGE }, { last: PAGE }, { first: PAGE, after: bottom.startCursor }, { last: PAGE, before: top.endCursor }]; // prettier-ignore
    const costs: Cost[] = [];
    for (const of of pages) costs.push(await costOf(() => page(of)));
    const [first, last, ...deep] = costs.map(({ buffers }) => buffers);
    const most = MOST_TIMES * Math.max(first!, last!) + MORE_BUFFERS;
    const dear = deep.filter((buffers) => buffers > most).map((buffers) => `${buffers} buffers, not ${most}`);
    const idle = costs.filter(({ removed }) => removed > mostRemoved).map(({ removed }) => `${removed} rows for nothing`); // prettier-ignore
    return [...costs.flatMap(({ unserved }) => unserved), ...dear, ...idle];
  }

  describe.each(ORDERS)('games by %s', (order) => {
    test.each(FILTERS)('%s', async (title, filterOf) => {
      const mostRemoved = AMONG_OTHERS.includes(title) ? GAMES : MOST_REMOVED;
      expect(await faultsOf(gamesOf({ ...filterOf(subjects) }, { by: order }), mostRemoved)).toEqual([]);
    });
  });

  test('serves a rating history by an index', async () => {
    const list: List = (page) => [
      VERBS.ratingHistory.graphql(subjects.busy, 'chess', { ...page }),
      '{ edges { cursor node { at rating gameId } } pageInfo { startCursor endCursor } }',
    ];
    expect((await ask<Found>(list({}))).edges.length).toBeGreaterThan(PAGE);
    expect(await faultsOf(list)).toEqual([]);
  });

  /** Lists that can be read only from one end. Opponents are sorted by frequency, and events that are not folded yet. */
  const { leaderboard, lobby, changes, opponents, statistics } = VERBS;
  const FORWARD: readonly [
    title: string,
    list: (after: string | null) => ReturnType<List>,
    sorted: RegExp | null,
  ][] = [
    ['leaderboard', (after) => [leaderboard.graphql('chess', { first: 2, after }), '{ edges { node { rank user { username } } } pageInfo { endCursor } }'], null], // prettier-ignore
    ['lobby', (after) => [lobby.graphql({ first: 10, after }), '{ edges { node { id creator { username } } } pageInfo { endCursor } }'], null], // prettier-ignore
    ['changes', (since) => [changes.graphql({ first: 10, since }), '{ items { kind id } cursor }'], /game_id, .*tide DESC|^f(_1)?\.xid|^changes\.xid DESC, \(1\)$/], // prettier-ignore
    ['opponents', () => [opponents.graphql(subjects.busy, 10), '{ user { username } games }'], /^\(sum/],
    ['statistics', () => [statistics.graphql(subjects.busy), '{ all { games } }'], null],
  ];
  test.each(FORWARD)('%s', async (_title, list, sorted) => {
    let after: string | null = null;
    const costs: Cost[] = [];
    for (let i = 0; i < 3; i++) {
      const request = list(after);
      const asked = () => ask<Found & { readonly cursor?: string }>(request);
      const answer = await asked();
      costs.push(await costOf(asked));
      after = answer.cursor ?? answer.pageInfo?.endCursor ?? null;
    }
    const unserved = costs.flatMap((cost) => cost.unserved);
    expect(unserved.filter((sort) => sorted?.test(sort) !== true)).toEqual([]);
    expect(costs.at(-1)!.buffers).toBeLessThanOrEqual(MOST_TIMES * costs[0]!.buffers + MORE_BUFFERS);
  });

  test('serves the stream of all finished games by an index', async () => {
    const { unserved } = await costOf(async () => must(await restApi(server.http).exportGames(null)));
    expect(unserved).toEqual([]);
  });

  /** Where the planner expects so many rows that it would rather sort all of them. */
  test('a list by options that all games of a rule set share is walked, not sorted', async () => {
    const list = gamesOf({ ruleset: 'xiangqi', options: {} }, { by: 'endedAt' });
    const sent = await sentBy(() => ask<Found>(list({ first: PAGE })));
    const [search] = sent.filter(({ text }) => text.includes('options'));
    const { endlessSorts, indexes } = essenceOf(await explain(database, search!, { settings: FORBIDDEN }));
    // The second one finds the stamps of the games on the page.
    expect([endlessSorts, indexes]).toEqual([[], ['games_options_idx', 'games_pkey']]);
  });

  test('a search with rare conditions uses no named statement', async () => {
    const list = gamesOf({ ruleset: 'chess', reason: 'timeout', opening: 'e2e4' });
    const sent = await sentBy(() => ask<Found>(list({})));
    const searches = sent.filter(({ text }) => text.includes('.opening'));
    expect(searches.length).toBeGreaterThan(1);
    expect(searches.map(({ name }) => name)).toEqual(searches.map(() => ''));
  });

  test('usual searches share their named statements', async () => {
    const namesOf = async (filter: Body) => {
      const sent = await sentBy(() => ask<Found>(gamesOf(filter)({})));
      const searches = sent.filter(({ text }) => text.includes('row_number'));
      expect(searches.length).toBeGreaterThan(0);
      return searches.map(({ name }) => name);
    };
    const some = await namesOf({ player: subjects.busy });
    expect(some).not.toContain('');
    expect(await namesOf({ player: subjects.rival })).toEqual(expect.arrayContaining([some[0]]));
    expect(await namesOf({ player: subjects.busy, seat: 'FIRST' })).toContain('');
  });

  test('few running games are found among many of another rule set', async () => {
    await database.query(
      insertGames(`SELECT (jsonb_populate_record(g, jsonb_build_object('id', gen_random_uuid(), 'wake_at', null,
         'last_activity_at', now() - n * interval '1 second', 'deadline_at', now() + interval '9 days'))).*
       FROM (SELECT g FROM games g WHERE ruleset = 'chess' AND status = 'active' LIMIT 1) one, generate_series(1, ${CROWD}) n`),
    );
    await database.query('ANALYZE games, running_games');
    const list = gamesOf({ ruleset: 'xiangqi' }, { by: 'lastActivityAt' });
    const sent = await sentBy(async () => {
      expect((await ask<Found>(list({ first: PAGE }))).edges).toHaveLength(PAGE);
    });
    const [search] = sent.filter(({ text }) => text.includes('running_games'));
    // For these values, and for any.
    const plans = await plansOf(search!);
    expect(plans).toHaveLength(2);
    for (const { indexes } of plans) {
      expect(indexes).toContain('running_games_ruleset_last_activity_at_game_id_idx');
    }
  });

  test('a search that finds nothing among many games looks at some of them, and says that more follow', async () => {
    const many = (of: string, more: string) =>
      insertGames(`SELECT (jsonb_populate_record(g, jsonb_build_object('id', gen_random_uuid(), 'wake_at', null,
           'last_activity_at', at, 'created_at', at) || ${more})).*
         FROM (SELECT g FROM games g WHERE ${of} LIMIT 1) one, generate_series(1, ${CROWD}) n,
           LATERAL (SELECT now() - n * interval '1 second' AS at) moments`);
    await database.query(many(`ruleset = 'chess' AND status = 'active'`, `jsonb_build_object('deadline_at', now() + interval '9 days')`)); // prettier-ignore
    await database.query(
      many(`ruleset = 'chess' AND status = 'finished'`, `jsonb_build_object('ended_at', at)`),
    );
    await database.query('ANALYZE games, running_games');
    for (const by of ORDERS) {
      const list = gamesOf({ ruleset: 'chess', minPlies: 9_999 }, { by });
      const { buffers } = await costOf(async () => {
        const { edges, pageInfo } = await ask<Found>(list({ first: PAGE }));
        expect([edges, typeof pageInfo.endCursor]).toEqual([[], 'string']);
      });
      expect([by, Math.max(buffers, MOST_IN_VAIN)]).toEqual([by, MOST_IN_VAIN]);
    }
  });

  test('pages of the public are full however many games of applications lie between', async () => {
    const id = randomUUID();
    await database.query(`INSERT INTO applications (id, name, url, created_at) VALUES ($1, 'A site', 'https://example.org', now())`, [id]); // prettier-ignore
    const ofSite = (status: string, more: string) =>
      insertGames(`SELECT (jsonb_populate_record(g, jsonb_build_object('id', gen_random_uuid(), 'wake_at', null,
           'application_id', '${id}', 'last_activity_at', at, 'created_at', at) || ${more})).*
         FROM (SELECT g FROM games g WHERE ruleset = 'chess' AND status = '${status}' LIMIT 1) one, generate_series(1, ${CROWD}) n,
           LATERAL (SELECT now() + n * interval '1 second' AS at) moments`);
    const listOf = async (by: (typeof ORDERS)[number]) => {
      const list = gamesOf({ ruleset: 'chess' }, { by });
      return costOf(async () => expect((await ask<Found>(list({ first: PAGE }))).edges).toHaveLength(PAGE));
    };
    const before: Cost[] = [];
    for (const by of ORDERS) before.push(await listOf(by));
    await database.query(ofSite('active', `jsonb_build_object('deadline_at', now() + interval '9 days')`));
    await database.query(ofSite('finished', `jsonb_build_object('ended_at', at)`));
    await database.query('ANALYZE games, running_games');
    for (const [i, by] of ORDERS.entries()) {
      const { buffers } = await listOf(by);
      expect([by, buffers <= MOST_TIMES * before[i]!.buffers + MORE_BUFFERS]).toEqual([by, true]);
    }
  });

  test.each(['games_ended_idx', 'games_ruleset_ended_idx'])(
    'what most searches ask for stands in %s',
    async (index) => {
      const among = index.includes('ruleset') ? { ruleset: 'chess' } : {};
      const filter = { ...among, rated: true, status: ['FINISHED'], minPlies: 9_999 };
      const sent = await sentBy(() => ask<Found>(gamesOf(filter, { by: 'ENDED_AT' })({ first: PAGE })));
      const [search] = sent.filter(({ text }) => text.includes('ended_plies'));
      const plan = await explain(database, search!, { format: 'TEXT', settings: NO_SORTS });
      expect(plan).toMatch(new RegExp(`Index Only Scan Backward using ${index}`));
    },
  );

  test('the statistics of a player come from the indexes, but for the aborted games', async () => {
    await makeAllVisible('games');
    const { rows } = await database.query<{ games: number }>(
      `SELECT count(*)::int AS games FROM games JOIN users u ON u.id IN (first_id, second_id)
       WHERE username = $1 AND ended_at IS NOT NULL`,
      [subjects.busy],
    );
    const asked = () => ask([statistics.graphql(subjects.busy), '{ all { games } calledOff }']);
    expect((await costOf(asked)).buffers).toBeLessThan(rows[0]!.games / 2);
  });
});
