import request from 'supertest';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { GAME } from '../support/documents.js';
import { people, population } from '../support/history-rows.js';
import { register, type Person } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import { fewestStatements, statementsOf } from '../support/statements.js';

/** How many statements a list costs does not depend on its length. */

let server: TestServer;
let ann: Person;

beforeAll(async () => {
  // One connection: what another one does when it begins is no part of a list.
  server = await startServer({ SWEEP_SECONDS: '3600', DATABASE_POOL: '1' });
  const { db } = server.app.get(PrismaService);
  ann = await register(server.http, 'ann');
  const others = await people(
    db,
    Array.from({ length: 20 }, (_, i) => `user${i}`),
  );
  // Two populations: all games of the first one are hers.
  for (const [name, id] of others) await population(db, new Map([[ann.username, ann.id], [name, id]]), 3, name.length); // prettier-ignore
  await population(db, others, 100, 5);
  await db.$executeRaw`
    INSERT INTO ratings SELECT id, 'chess', 1500, 60, 0.06, 1, 1, 0, 0, now(), now() + interval '9 days' FROM users`;
  await db.$executeRaw`
    INSERT INTO rating_changes
    SELECT id, player, CASE player WHEN 'first' THEN first_id ELSE second_id END, 'chess',
           row_number() OVER (ORDER BY id, player), 1500, 60, 0.06, 1501, 60, 0.06, now()
    FROM games, unnest(ARRAY['first', 'second']) player WHERE ended_at IS NOT NULL AND unrated IS NULL`;
}, 180_000);
afterAll(() => server.close());

const LOG = `${GAME.slice(0, -1)} claimable legalMoves { move }
  moves(first: 3) { totalCount edges { node { move san proof { salt } } } }
  all: moves(last: 2, takenBack: true) { totalCount edges { node { move takenBack } } } events { type data at } }`;

const graphql = (query: string) => async (first: number) => {
  const { body } = await request(server.http).post('/graphql').set('Authorization', ann.authorization).send({ query, variables: { first } }); // prettier-ignore
  if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
  const [list] = Object.values(body.data as Record<string, { edges?: unknown[] } | unknown[]>);
  return (Array.isArray(list) ? list : list!.edges!).length;
};
const rest = (path: string) => async (first: number) => {
  const { body } = await request(server.http).get(`/v1/${path}`).set('Authorization', ann.authorization).query({ first }).expect(200); // prettier-ignore
  return (Array.isArray(body) ? body : (body.games ?? body.lastGames ?? body.edges)).length as number;
};

/** Its first words: how many parameters it has does depend on the length. */
const kind = (statement: string): string => statement.trim().replace(/\s+/g, ' ').slice(0, 60);

const LISTS: readonly [string, (first: number) => Promise<number>][] = [
  ['games', graphql(`query ($first: Int) { games(first: $first) { edges { node ${LOG} } totalCount } }`)],
  ['ended games', graphql(`query ($first: Int) { games(first: $first, filter: { ruleset: "chess" }, orderBy: { by: endedAt }) { edges { node ${LOG} } } }`)], // prettier-ignore
  [
    'all of my games',
    graphql(`query ($first: Int) { myGames(first: $first, list: all) { edges { node ${LOG} } } }`),
  ],
  ['my games that are over', graphql(`query ($first: Int) { myGames(first: $first, list: ended) { edges { node ${LOG} } } }`)], // prettier-ignore
  ['my running games', graphql(`query ($first: Int) { myGames(first: $first, list: running) { edges { node ${LOG} } } }`)], // prettier-ignore
  ['a rating history with its games', (first) => graphql(`query ($first: Int) { ratingHistory(username: "${ann.username}", ruleset: "chess", first: $first) { edges { node { rating game ${LOG} } } } }`)(first)], // prettier-ignore
  ['a leaderboard', graphql('query ($first: Int) { leaderboard(ruleset: "chess", first: $first) { edges { node { rank user { username ratings { rating } } rating { rating } } } } }')], // prettier-ignore
  ['games in REST', rest('games/search')],
  ['my games in REST', rest('games?list=all')],
];

test.each(LISTS)(
  '%s',
  async (_, list) => {
    const lengths: number[] = [];
    const cost = async (first: number) =>
      (await fewestStatements(async () => lengths.push(await list(first)))).map(kind).sort();
    const [few, many] = [await cost(2), await cost(12)];
    expect([...new Set(lengths)]).toEqual([2, 12]);
    expect(few.length).toBeGreaterThan(0);
    // A short page may hold no game that is over, or rated: what is read of those is read once, however many.
    const more = [...new Set(many)].filter((one) => !few.includes(one));
    expect(many.filter((one) => few.includes(one))).toEqual(few.filter((one) => many.includes(one)));
    expect(many.filter((one) => more.includes(one))).toEqual(more);
  },
  180_000,
);

test('the opponents of a player', async () => {
  const opponents = rest(`users/${ann.username}/opponents`);
  const [few, many] = [
    await fewestStatements(() => opponents(2)),
    await fewestStatements(() => opponents(15)),
  ];
  expect(many.length).toBe(few.length);
  expect(few.length).toBeGreaterThan(0);
});

test('a list that costs a statement a game would be noticed', async () => {
  const { db } = server.app.get(PrismaService);
  const ids = (await db.game.findMany({ take: 3, select: { id: true } })).map(({ id }) => id);
  const seen = await statementsOf(async () => {
    for (const id of ids) await db.ply.count({ where: { gameId: id } });
  });
  expect(seen).toHaveLength(3);
});
