import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { restApi } from '../support/api.js';
import { SERVER } from '../support/databases.js';
import { register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { seededPlace } from '../support/seeded-database.js';
import { startServer } from '../support/server.js';

/** A move that is stored alone is not planned anew each time. */

const onServer = SERVER === undefined ? test.skip : test;

/** So many that the planner finds games by their index. */
const GAMES = 1000;
/** PostgreSQL plans a statement this often for its values before it compares that with the plan for any values. */
const PLANNED_ANEW = 5;
const MOVES = 'g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 c3b1 c6b8'.split(' ');

onServer('the database keeps the plan of a commit of one move', async () => {
  const place = await seededPlace(GAMES);
  const server = await startServer({ DATABASE_POOL: '1', SWEEP_SECONDS: '3600' }, place);
  const [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
  const api = restApi(server.http);
  const game = await begin(api, ann, ben);
  await playMoves(api, game, [...MOVES, ...MOVES], { first: ann, second: ben });
  const [usual] = await server.app.get(PrismaService).query<{ anew: number; kept: number }[]>`
    SELECT custom_plans::int AS anew, generic_plans::int AS kept FROM pg_prepared_statements
    WHERE statement LIKE '%WITH acts AS MATERIALIZED%' ORDER BY custom_plans + generic_plans DESC`;
  await server.close();
  await place.remove();
  // The first move also answers a notification, by another statement.
  expect(usual).toEqual({ anew: PLANNED_ANEW, kept: 2 * MOVES.length - 1 - PLANNED_ANEW });
});
