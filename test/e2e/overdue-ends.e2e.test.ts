import { exported, gamesIn } from '../support/exports.js';
import { HISTORIES } from '../support/history.js';
import { begin, type Person, register, restPlay } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import { stopTime, type StoppedTime } from '../support/stopped-time.js';

/** Who looks for games that are over finds those whose time is up, before the sweep has come by. */

let server: TestServer;
let time: StoppedTime;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  server = await startServer({ ACCESS_TOKEN_SECONDS: '86400', SWEEP_SECONDS: '3600' });
  time = stopTime(server.app);
  [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
}, 180_000);
afterAll(() => server.close());
beforeEach(() => time.forward(1));

/** A game that has run out of time a minute before another one was resigned; nobody has looked at it since. */
async function overdueAndResigned(): Promise<readonly [string, string]> {
  const play = restPlay(server.http);
  const slow = await begin(play, ann, ben, { timeControl: { type: 'perMove', seconds: 60 } });
  const other = await begin(play, ann, ben);
  await play.makeMove(ann, slow.id, 1, 'e2e4');
  await play.makeMove(ann, other.id, 1, 'e2e4');
  time.forward(120_000);
  await play.resign(ben, other.id);
  return [slow.id, other.id];
}

test.each(['games/export', 'users/ann/games'])('%s has it in its place', async (path) => {
  const since = time.now().toISOString();
  const ids = await overdueAndResigned();
  const { text } = await exported(server.http, path.replace('ann', ann.username), { since });
  expect(gamesIn(text).map(({ id }) => id)).toEqual(ids);
});

test.each(HISTORIES)('so has a search over %s', async (_, make) => {
  const endedFrom = time.now().toISOString();
  const [slow, other] = await overdueAndResigned();
  const history = make(server.http);
  const order = { by: 'endedAt', direction: 'asc' } as const;
  const found = async (filter: object) =>
    (await history.search({ endedFrom, ...filter }, order)).data.games.map(({ id }) => id);
  expect(await found({ reason: 'timeout' })).toEqual([slow]);
  expect(await found({})).toEqual([slow, other]);
});
