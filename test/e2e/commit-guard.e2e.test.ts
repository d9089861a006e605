import { CommitStore } from '../../src/features/games/commit.store.js';
import { type Api, restApi } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Game } from '../support/shown.js';
import type { Answer } from '../support/transport.js';

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

/** Does something when the next act has been judged, before it is stored. */
function overtake(faster: () => Promise<Answer<unknown>>): void {
  const commits = server.app.get(CommitStore, { strict: false });
  const { commit } = commits;
  commits.commit = async (act) => {
    commits.commit = commit;
    expect((await faster()).refusal).toBeUndefined();
    return commit.call(commits, act);
  };
}

test('the act is judged anew, and nothing is lost', async () => {
  const { id, version } = await newGame();
  overtake(() => api.plain(ben, 'offerDraw', id));
  expect((await api.makeMove(ann, id, 3, 'g1f3')).data).toMatchObject({ version: version + 2, plyCount: 3 });
  const events = (await api.events(ann, id)).data.map(({ seq, type }) => [seq, type]);
  expect(events.slice(-2)).toEqual([
    [version + 1, 'offerDraw'],
    [version + 2, 'declineDraw'],
  ]);
});

test('an act for one version is refused, and nothing of it is stored', async () => {
  const { id, version } = await newGame();
  overtake(() => api.plain(ben, 'offerDraw', id));
  expect((await api.makeMove(ann, id, 3, 'g1f3', { version })).refusal).toEqual({ code: 'STALE_VERSION' });
  expect((await api.game(ann, id)).data).toMatchObject({ version: version + 1, plyCount: 2 });
});

test('conditional moves that were cleared in time are not played', async () => {
  const { id } = await newGame();
  await api.setConditionalMoves(ben, id, [{ when: 'g1f3', reply: 'b8c6' }]);
  overtake(() => api.setConditionalMoves(ben, id, null));
  expect((await api.makeMove(ann, id, 3, 'g1f3')).data).toMatchObject({ plyCount: 3, turn: 'second' });
});
