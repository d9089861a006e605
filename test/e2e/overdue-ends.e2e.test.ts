import { restApi, TRANSPORTS, VERBS } from '../support/api.js';
import { exported, gamesIn } from '../support/exports.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { SHARED_SETTINGS, startServer, type TestServer } from '../support/server.js';

/** Who looks for games that are over finds those whose time is up, before the sweep has come by. */

let server: TestServer;
let time: StoppedTime;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  server = await startServer(SHARED_SETTINGS);
  time = stopTime(server.app);
  [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
});
afterAll(() => server.close());
beforeEach(() => time.forward(1));

/** A game that has run out of time a minute before another one was resigned; nobody has looked at it since. */
async function overdueAndResigned(): Promise<readonly [string, string]> {
  const api = restApi(server.http);
  const slow = await begin(api, ann, ben, { timeControl: { type: 'perMove', seconds: 60 } });
  const other = await begin(api, ann, ben);
  await api.makeMove(ann, slow.id, 1, 'e2e4');
  await api.makeMove(ann, other.id, 1, 'e2e4');
  time.forward(120_000);
  await api.resign(ben, other.id);
  return [slow.id, other.id];
}

test.each([
  ['games/export', (since: string) => VERBS.exportGames.rest({ since })],
  ['users/ann/games', (since: string) => VERBS.exportGamesOf.rest(ann.username, { since })],
])('%s has it in its place', async (_, list) => {
  const since = time.now().toISOString();
  const ids = await overdueAndResigned();
  const { text } = await exported(server.http, list(since));
  expect(gamesIn(text).map(({ id }) => id)).toEqual(ids);
});

test.each(TRANSPORTS)('so has a search over %s', async (_, make) => {
  const endedFrom = time.now().toISOString();
  const [slow, other] = await overdueAndResigned();
  const api = make(server.http);
  const order = { by: 'endedAt', direction: 'asc' } as const;
  const found = async (filter: object) =>
    (await api.games(null, { endedFrom, ...filter }, order)).data.games.map(({ id }) => id);
  expect(await found({ reason: 'timeout' })).toEqual([slow]);
  expect(await found({})).toEqual([slow, other]);
});
