import { STORED_LATE_MS } from '../../src/features/games/as-of-now.js';
import { CommitStore } from '../../src/features/games/commit.store.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Game } from '../support/api-types.js';
import { type Answer, must } from '../support/transport.js';

/** A game that changes after an act was judged and before it is stored. Ann moves, Ben is faster. */

let server: TestServer;
let api: Api;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await sharedServer();
  api = restApi(server.http);
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close());

const newGame = async (): Promise<Game> =>
  playMoves(api, await begin(api, ann, ben), ['e2e4', 'e7e5'], { first: ann, second: ben });

/** Lets another player act when the next act has been judged, before it is stored. */
const overtake = (faster: () => Promise<Answer<unknown>>): void =>
  before(async () => expect((await faster()).refusal).toBeUndefined());

/** Runs a function at that moment. */
function before(commitIsMade: () => Promise<void>): void {
  const commits = server.app.get(CommitStore, { strict: false });
  const { commit } = commits;
  commits.commit = async (act) => {
    commits.commit = commit;
    await commitIsMade();
    return commit.call(commits, act);
  };
}

test('judges the act again, and loses nothing', async () => {
  const { id, version } = await newGame();
  overtake(() => api.plain(ben, 'offerDraw', id));
  expect((await api.makeMove(ann, id, 3, 'g1f3')).data).toMatchObject({ version: version + 2, plyCount: 3 });
  const events = (await api.events(ann, id)).data.map(({ seq, type }) => [seq, type]);
  expect(events.slice(-2)).toEqual([
    [version + 1, 'offerDraw'],
    [version + 2, 'declineDraw'],
  ]);
});

test('refuses an act for one version, and stores nothing of it', async () => {
  const { id, version } = await newGame();
  overtake(() => api.plain(ben, 'offerDraw', id));
  expect((await api.makeMove(ann, id, 3, 'g1f3', { version })).refusal).toEqual({
    code: 'STALE_VERSION',
    field: 'version',
  });
  expect((await api.game(ann, id)).data).toMatchObject({ version: version + 1, plyCount: 2 });
});

test('does not play conditional moves that were cleared in time', async () => {
  const { id } = await newGame();
  await api.setConditionalMoves(ben, id, [{ when: 'g1f3', reply: 'b8c6' }]);
  overtake(() => api.setConditionalMoves(ben, id, null));
  expect((await api.makeMove(ann, id, 3, 'g1f3')).data).toMatchObject({ plyCount: 3, turn: 'second' });
});

test.each([
  ['a moment', STORED_LATE_MS / 2, undefined],
  ['so long that the end may already be shown', STORED_LATE_MS + 500, 'DEADLINE_PASSED'],
])('an act that was judged in time and is stored %s after the deadline', async (_, late, code) => {
  const terms = { timeControl: { type: 'perMove', seconds: 60 } };
  const { id } = await begin(api, ann, ben, terms);
  const { db } = server.app.get(PrismaService, { strict: false });
  before(async () => {
    await db.game.update({ where: { id }, data: { deadlineAt: new Date(Date.now() - late) } });
  });
  const { refusal } = await api.makeMove(ann, id, 1, 'e2e4');
  expect(refusal?.code).toBe(code);
  const { status, plyCount } = must(await api.game(ann, id));
  expect([status, plyCount]).toEqual(code === undefined ? ['active', 1] : ['finished', 0]);
});
