import { write } from '../../src/formats/formats.js';
import { restApi, VERBS } from '../support/api.js';
import { exported, gamesIn } from '../support/exports.js';
import { Pair, perMove, startStopped } from '../support/pair.js';
import type { TestServer } from '../support/server.js';
import type { Game } from '../support/api-types.js';
import type { StoppedTime } from '../support/stopped-time.js';
import { type Body, must } from '../support/transport.js';

/** The times in exported games: how long each ply took, and what its player had left. */

let server: TestServer;
let time: StoppedTime;
let pair: Pair;
beforeAll(async () => {
  [server, time] = await startStopped();
});
beforeEach(async () => {
  pair = new Pair(server, time, restApi(server.http));
  await pair.meet();
});
afterAll(() => server.close());

const later = (seconds: number) => pair.later(seconds * 1000);

/** The moves of the game in PGN; in a list of games it has the same text. */
async function movesOf({ id }: Game): Promise<string> {
  const { text } = await exported(server.http, VERBS.exportGame.rest(id));
  if (!text.includes('[Result "*"]')) {
    const list = await exported(
      server.http,
      VERBS.exportGamesOf.rest(pair.first.username, { format: 'pgn' }),
    );
    expect(gamesIn(list.text).map((game) => write(game, 'pgn'))).toContain(text);
  }
  return text.split('\n\n')[1]!.replaceAll('\n', ' ').trim();
}

test('exports a time for each move, with time that was given in that turn only', async () => {
  let game = await pair.after([], perMove(86_400));
  await later(100);
  game = await pair.move('first', game, 'e2e4');
  must(await pair.api.giveTime(pair.first, game.id, 2));
  await later(90_000);
  game = await pair.move('second', game, 'e7e5');
  must(await pair.api.giveTime(pair.second, game.id, 3));
  await later(5);
  await pair.do('second', 'offerTakeback', game);
  game = await pair.do('first', 'acceptTakeback', game);
  await later(7);
  game = await pair.move('second', game, 'c7c5');
  await later(4000);
  game = await pair.move('first', game, 'g1f3');
  const sofar =
    '1. e4 {[%emt 0:01:40] [%clk 23:58:20]} 1... c5 {[%emt 0:00:07] [%clk 23:59:53]} ' +
    '2. Nf3 {[%emt 1:06:40] [%clk 22:53:20]}';
  expect(await movesOf(game)).toBe(`${sofar} *`);
  must(await pair.api.giveTime(pair.first, game.id, 4));
  await later(90_000);
  game = await pair.move('second', game, 'd7d6');
  await pair.do('first', 'resign', game);
  expect(await movesOf(game)).toBe(`${sofar} 2... d6 {[%emt 25:00:00] [%clk 23:00:00]} 0-1`);
});

test.each<[Body, string]>([
  [{ type: 'bank', initial: 600, increment: 10, cap: 700 }, '{[%emt 0:01:00] [%clk 0:09:10]}'],
  [{ type: 'none' }, '{[%emt 0:01:00]}'],
])('%j', async (timeControl, comment) => {
  const game = await pair.after([], { timeControl });
  await later(60);
  expect(await movesOf(await pair.move('first', game, 'f2f3'))).toBe(`1. f3 ${comment} *`);
});

test('a ply of conditional moves takes no time', async () => {
  const game = await pair.after(['e2e4'], perMove(3600));
  must(await pair.api.setConditionalMoves(pair.first, game.id, [{ when: 'e7e5', reply: 'g1f3' }]));
  await later(30);
  const moves = await movesOf(await pair.move('second', game, 'e7e5'));
  expect(moves).toContain(
    '1... e5 {[%emt 0:00:30] [%clk 0:59:30]} 2. Nf3 {[%emt 0:00:00] [%clk 1:00:00] [%auto 1]} *',
  );
});
