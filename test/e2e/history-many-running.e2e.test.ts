import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi } from '../support/api.js';
import { insertGames } from '../support/insert-games.mjs';
import type { Found } from '../support/operations/history.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { SHARED_SETTINGS, startServer, type TestServer } from '../support/server.js';
import { must } from '../support/transport.js';

/** Searches through a player's running games, of which MAX_RUNNING_GAMES may allow more than a search sorts of others. */

const GAMES = 2_120;

let server: TestServer;
let api: Api;
let ann: Person;

beforeAll(async () => {
  server = await startServer(SHARED_SETTINGS);
  api = restApi(server.http);
  const ben = await register(server.http, 'ben');
  ann = await register(server.http, 'ann');
  const { id } = await begin(api, ann, ben);
  // Not in the order of their times, which the last digits of their numbers decide.
  await server.app.get(PrismaService).db.$executeRawUnsafe(
    insertGames(`SELECT (jsonb_populate_record(g, jsonb_build_object('id', gen_random_uuid(),
        'created_at', g.created_at - n * 7919 % 2113 * interval '1 second',
        'last_activity_at', g.last_activity_at + n * 7919 % 2113 * interval '1 second'))).*
      FROM games g, generate_series(2, ${GAMES}) n WHERE id = '${id}'`),
  );
});
afterAll(() => server.close());

/** The games of all pages, with their times. */
async function walked(filter: object, by: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (let after: string | null = null; ;) {
    const page: Found = must(await api.games(null, { ...filter }, { by }, { first: 100, after }));
    found.push(...page.games.map((game) => `${(game as unknown as Record<string, string>)[by]} ${game.id}`));
    if (!page.pageInfo.hasNextPage) return found;
    after = page.pageInfo.endCursor;
  }
}

test.each([{}, { seat: 'first' }])('finds all of them in order, and counts them (%p)', async (seat) => {
  const filter = { player: ann.username, ...seat };
  for (const by of ['lastActivityAt', 'createdAt']) {
    const found = await walked(filter, by);
    expect(new Set(found).size).toBe(GAMES);
    expect(found).toEqual([...found].sort().reverse());
  }
  const counted = must(await api.games(null, filter, {}, { first: 1 }, true));
  expect(counted).toMatchObject({ totalCount: GAMES, totalCountCapped: false });
});
