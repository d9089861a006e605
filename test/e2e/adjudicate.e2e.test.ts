import { operate } from '../../src/cli/operate.js';
import { holds, verify } from '../../src/fairness/verify.js';
import { GamesService } from '../../src/features/games/games.service.js';
import { restApi } from '../support/api.js';
import { freshPlace, type Place } from '../support/databases.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';

/** A game that the operator adjudicates. */

const WHY = 'Both players asked for it by mail.';

let place: Place;
let server: TestServer;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  place = await freshPlace();
  server = await startServer({}, place);
  [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
});
afterAll(() => server.close().finally(() => place.remove()));

it('ends without a winner, at any ply, and logs the reason', async () => {
  const api = restApi(server.http);
  const moves = ['e2e4', 'e7e5', 'g1f3'];
  const { id } = await playMoves(api, await begin(api, ann, ben), moves, { first: ann, second: ben });
  await server.close();
  const said: string[] = [];
  const adjudicate = () => operate(server.config, 'adjudicate', [id, WHY], (text) => said.push(text));
  await adjudicate();
  expect(said).toEqual([`Game ${id} is aborted after ply 3.`]);
  await expect(adjudicate()).rejects.toMatchObject({ code: 'GAME_OVER' });

  server = await startServer({}, place);
  const again = restApi(server.http);
  const game = (await again.game(null, id)).data;
  expect(game).toMatchObject({ status: 'aborted', turn: null, outcome: { winner: null, reason: 'aborted' } });
  const events = (await again.events(null, id)).data.slice(3);
  expect(events.map(({ type, player, data }) => [type, player, data])).toEqual([
    ['adjudicate', null, { why: WHY }],
    ['end', null, { winner: null, reason: 'aborted' }],
  ]);
  expect(holds(verify(await server.app.get(GamesService).record(id)))).toBe(true);
});

it.each([
  ['a game that does not exist', '01890000-0000-7000-8000-000000000000', WHY, 'NOT_FOUND'],
  ['an invalid id', 'x', WHY, 'BAD_INPUT'],
  ['a missing reason', '01890000-0000-7000-8000-000000000000', ' ', 'BAD_INPUT'],
])('refuses %s', async (_, id, why, code) => {
  await expect(server.app.get(GamesService).adjudicate(id, why)).rejects.toMatchObject({ code });
});
