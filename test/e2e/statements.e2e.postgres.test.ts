import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { restApi, VERBS } from '../support/api.js';
import { GAME } from '../support/documents.js';
import { people, population } from '../support/history-rows.js';
import { forgetGames } from '../support/known-games.js';
import { type Person, register } from '../support/people.js';
import { startServer, type TestServer } from '../support/server.js';
import { fewestStatements, statementsOf } from '../support/statements.js';
import { type Graphql, must, select } from '../support/transport.js';

/** The number of statements of a list does not depend on its length. */
// Both databases: each driver sends statements of its own.

let server: TestServer;
let ann: Person;

beforeAll(async () => {
  // One connection: the setup statements of a new one do not belong to a list.
  server = await startServer({ SWEEP_SECONDS: '3600', DATABASE_POOL: '1' });
  const { db } = server.app.get(PrismaService);
  ann = await register(server.http, 'ann');
  const others = await people(
    db,
    Array.from({ length: 20 }, (_, i) => `user${i}`),
  );
  // Two populations: all games of the first are hers.
  for (const [name, id] of others) await population(db, new Map([[ann.username, ann.id], [name, id]]), 5, name.length); // prettier-ignore
  await population(db, others, 100, 5);
  // Games before ply 1 have no last ply to read: other players get them.
  const [firstId, secondId] = [...others.values()];
  await db.game.updateMany({ where: { plyCount: 0 }, data: { firstId: firstId!, secondId: secondId! } });
  await db.$executeRaw`
    INSERT INTO ratings SELECT id, 'chess', 1500, 60, 0.06, 1, 1, 0, 0, now(), now() + interval '9 days' FROM users`;
  await db.$executeRaw`
    INSERT INTO rating_changes
    SELECT id, player, CASE player WHEN 'first' THEN first_id ELSE second_id END, 'chess',
           row_number() OVER (ORDER BY id, player), 1500, 60, 0.06, 1501, 60, 0.06, now()
    FROM games, unnest(ARRAY['first', 'second']) player WHERE ended_at IS NOT NULL AND unrated IS NULL`;
});
afterAll(() => server.close());

const LOG = `${GAME.slice(0, -1)} claimable
  moves(first: 3) { totalCount edges { node { move san proof { salt } } } }
  all: moves(last: 2, takenBack: true) { totalCount edges { node { move takenBack } } } events { edges { node { type data at } } } }`;

/** How many entries a list returns with these fields. */
const graphql = (list: (first: number) => Graphql, selection: string) => async (first: number) => {
  const { edges } = must(await select(server.http, ann, list(first), selection));
  return edges.length as number;
};
const LOGS = `{ edges { node ${LOG} } }`;
const myGames = (list: string) => graphql((first) => VERBS.myGames.graphql({ list, first }), LOGS);

/** Its first words: the number of parameters does depend on the length. */
const kind = (statement: string): string => statement.trim().replace(/\s+/g, ' ').slice(0, 60);

const LISTS: readonly [string, (first: number) => Promise<number>][] = [
  [
    'games',
    graphql((first) => VERBS.games.graphql({}, undefined, { first }), `{ edges { node ${LOG} } totalCount }`),
  ],
  [
    'ended games',
    graphql((first) => VERBS.games.graphql({ ruleset: 'chess' }, { by: 'endedAt' }, { first }), LOGS),
  ],
  ['all of my games', myGames('all')],
  ['my ended games', myGames('ended')],
  ['my running games', myGames('running')],
  [
    'a rating history with its games',
    graphql(
      (first) => VERBS.ratingHistory.graphql(ann.username, 'chess', { first }),
      `{ edges { node { rating game ${LOG} } } }`,
    ),
  ],
  [
    'a leaderboard',
    graphql(
      (first) => VERBS.leaderboard.graphql('chess', { first }),
      '{ edges { node { rank user { username ratings { rating } } rating { rating } } } }',
    ),
  ],
  [
    'games in REST',
    async (first) => must(await restApi(server.http).games(ann, {}, {}, { first })).games.length,
  ],
  [
    'my games in REST',
    async (first) => must(await restApi(server.http).myGames(ann, { first })).games.length,
  ],
];

test.each(LISTS)('%s', async (_, list) => {
  const lengths: number[] = [];
  const cost = async (first: number) => {
    const sent = await fewestStatements(async () => {
      forgetGames(server);
      lengths.push(await list(first));
    });
    return sent.map(kind).sort();
  };
  const [few, many] = [await cost(2), await cost(12)];
  expect([...new Set(lengths)]).toEqual([2, 12]);
  expect(few.length).toBeGreaterThan(0);
  // A short page may lack ended or rated games: their extra data is read once for any number.
  const more = [...new Set(many)].filter((one) => !few.includes(one));
  expect(many.filter((one) => few.includes(one))).toEqual(few.filter((one) => many.includes(one)));
  expect(many.filter((one) => more.includes(one))).toEqual(more);
});

test('lists the opponents of a player', async () => {
  const opponents = async (first: number) =>
    must(await restApi(server.http).opponents(ann, ann.username, first));
  const [few, many] = [
    await fewestStatements(() => opponents(2)),
    await fewestStatements(() => opponents(15)),
  ];
  expect(many.length).toBe(few.length);
  expect(few.length).toBeGreaterThan(0);
});

test('a list that needs one statement per game would be noticed', async () => {
  const { db } = server.app.get(PrismaService);
  const ids = (await db.game.findMany({ take: 3, select: { id: true } })).map(({ id }) => id);
  const seen = await statementsOf(async () => {
    for (const id of ids) await db.ply.count({ where: { gameId: id } });
  });
  expect(seen).toHaveLength(3);
});
