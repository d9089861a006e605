import { Referee } from '../../src/features/games/referee.js';
import { restApi, TRANSPORTS, VERBS } from '../support/api.js';
import { exported, gamesIn } from '../support/exports.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { SHARED_SETTINGS, startServer, type TestServer } from '../support/server.js';
import { type Body, must, send } from '../support/transport.js';

/** The position of overdue games in lists, before and after the sweep. */

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

const sweep = () => server.app.get(Referee).sweep();

/** A game that ran out of time a minute before another was resigned; it has not been read since. */
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
  ['exports/games', (query: Body) => VERBS.exportGames.rest(query)],
  ['users/ann/games', (query: Body) => VERBS.exportGamesOf.rest(ann.username, query)],
])('%s contains it once its end is stored, at its place', async (_, list) => {
  const since = time.now().toISOString();
  const [slow, other] = await overdueAndResigned();
  const idsOf = async (query: Body) =>
    gamesIn((await exported(server.http, list({ since, ...query }))).text).map(({ id }) => id);
  expect(await idsOf({})).toEqual([other]);
  await sweep();
  expect(await idsOf({})).toEqual([slow, other]);
  // Therefore a copy reads up to a minute ago, and continues from there.
  expect(await idsOf({ after: other })).toEqual([]);
});

test('a copy that reads up to a minute ago has each game once, in order', async () => {
  let since = time.now();
  const ids = await overdueAndResigned();
  const copied: string[] = [];
  for (let minutes = 0; minutes < 3; minutes++) {
    const until = new Date(time.now().getTime() - 60_000);
    const query = { since: since.toISOString(), until: until.toISOString() };
    const { text } = await exported(server.http, VERBS.exportGames.rest(query));
    copied.push(...gamesIn(text).map(({ id }) => id!));
    since = until;
    time.forward(30_000);
    await sweep();
    time.forward(30_000);
  }
  expect(copied).toEqual(ids);
});

test.each(TRANSPORTS)('a search over %s selects stored states and shows current ones', async (_, make) => {
  const createdFrom = time.now().toISOString();
  const [slow, other] = await overdueAndResigned();
  const api = make(server.http);
  const order = { by: 'endedAt', direction: 'asc' } as const;
  const found = async (filter: object) =>
    (await api.games(null, { createdFrom, ...filter }, order)).data.games.map(({ id }) => id);
  const shown = async () =>
    (await api.games(null, { createdFrom })).data.games.map(({ id, status, outcome }) => [id, status, outcome?.reason]); // prettier-ignore
  const ended = [[other, 'finished', 'resignation'], [slow, 'finished', 'timeout']]; // prettier-ignore
  expect([await found({ reason: 'timeout' }), await found({ endedFrom: createdFrom })]).toEqual([
    [],
    [other],
  ]);
  expect((await shown()).sort()).toEqual([...ended].sort());
  await sweep();
  expect([await found({ reason: 'timeout' }), await found({})]).toEqual([[slow], [slow, other]]);
  expect(await shown()).toEqual(ended);
});

test('what docs/api.md names waits until the end is stored, and nothing else', async () => {
  const api = restApi(server.http);
  const [cid, dot] = [await register(server.http, 'cid'), await register(server.http, 'dot')];
  const { id } = await begin(api, cid, dot, {
    rated: true,
    timeControl: { type: 'perMove', seconds: 3_600 },
  });
  must(await api.makeMove(cid, id, 1, 'e2e4'));
  must(await api.makeMove(dot, id, 2, 'e7e5'));
  const { cursor } = must(await api.changes(cid, { fromNow: true }));
  const newest = (must(await api.myEvents(cid)).items.at(-1)! as { id: string }).id;
  time.forward(3_600_000 + 5_001);
  const raw = async (path: string) => (await send(server.http, `/v1/${path}`)).body;
  const looked = async () => {
    const [game, record, statistics] = [await raw(`games/${id}`), await raw(`games/${id}/record`), await raw(`users/${cid.username}/statistics`)]; // prettier-ignore
    const { status, outcome, endedAt, version, plyCount, unrated, fairness } = game;
    const ended = must(await api.myGames(cid, { list: 'ended' }));
    const running = must(await api.myGames(cid, { list: 'running' }));
    const found = must(await api.games(null, { player: cid.username, status: ['finished'] }, {}, {}, true));
    return {
      atOnce: [
        status,
        outcome,
        endedAt,
        version,
        plyCount,
        unrated,
        ended.games.length,
        running.games.length,
      ],
      // Which of these know of the end.
      waiting: {
        serverSeed: fairness.serverSeed !== null,
        record: record.outcome !== null,
        ratingChanges: game.ratingChanges !== null,
        ratings: must(await api.ratings(null, cid.username))!.length > 0,
        search: found.totalCount === 1 && found.games.length === 1,
        statistics: statistics.all.games === 1,
        opponents: must(await api.opponents(null, cid.username)).length === 1,
        headToHead: must(await api.headToHead(null, cid.username, dot.username)).all.games === 1,
        stream:
          gamesIn((await exported(server.http, VERBS.exportGamesOf.rest(cid.username))).text).length === 1,
        events: must(await api.myEvents(cid, { after: newest })).items.length > 0,
        notifications: must(await api.notifications(cid)).edges.some(({ node }) => node.type === 'gameOver'),
        changes: must(await api.changes(cid, { since: cursor })).items.length > 0,
      },
      head: fairness.headHash,
    };
  };
  const before = await looked();
  await sweep();
  const after = await looked();
  expect([before.atOnce, before.atOnce[0]]).toEqual([after.atOnce, 'finished']);
  const knowing = ({ waiting }: typeof before) => Object.entries(waiting).filter(([, knows]) => knows);
  expect([knowing(before), knowing(after)]).toEqual([[], Object.entries(after.waiting)]);
  expect(before.head).not.toBe(after.head);
});
