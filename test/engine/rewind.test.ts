import { decodeMoves } from '../../src/engine/moves-text.js';
import type { Rewound } from '../../src/engine/engine.service.js';
import type { StoredGame } from '../../src/engine/stored-game.js';
import { chess } from '../../src/rules/chess/chess.js';
import { halfCourtChess } from '../../src/rules/chess/half-court-chess.js';
import { claimableIn } from '../../src/rules/analyse.js';
import { legalMoves, position, replay, resume, warnings, type Game } from '../../src/rules/play.js';
import { rulesets } from '../../src/rules/registry.js';
import { PLAYERS } from '../../src/rules/ruleset.js';
import { must, randomGames, type RandomGame } from '../support/random-games.js';
import { engine, storedAfter, storedAt } from './stored-games.js';

/** Where a takeback returns to. */

/** The game as the server reads it from its row. */
function read({ ruleset, options, states }: RandomGame, row: StoredGame): Game<unknown> {
  const plies = decodeMoves(row.moves);
  const known = ruleset.unseen(position(states[row.anchorPly]!));
  return must(
    resume<unknown>(ruleset, options, {
      fen: row.anchorPosition,
      plies: plies.slice(row.anchorPly),
      ...(known === null ? {} : { unseen: known }),
    }),
  );
}

const judgement = (game: Game<unknown>): unknown => ({
  fen: game.ruleset.fen(position(game)),
  outcome: game.outcome,
  legal: legalMoves(game),
  claimable: claimableIn(game),
  warnings: warnings(game),
  unseen: game.ruleset.unseen(position(game)),
});

/** The row after a takeback to this ply. */
const takenBack = (row: StoredGame, ply: number): StoredGame & Rewound => ({
  ...row,
  ...engine.rewind(row, ply),
});

describe.each(rulesets().map((ruleset) => [ruleset.id, ruleset] as const))('%s', (_, ruleset) => {
  const games = randomGames(ruleset, 64);

  test('rewinding restores the game as it was at that ply', () => {
    for (const { label, ...game } of games) {
      const end = game.plies.length;
      for (const from of [end, end - 1, end >> 1]) {
        const row = storedAt(game, from);
        for (let ply = from; ply >= 0; ply -= from - ply < 6 ? 1 : 17) {
          const { position, anchorPosition, anchorPly, moves } = storedAt(game, ply);
          const turn = ruleset.turn(game.states[ply]!.history.positions.at(-1));
          expect([label, from, ply, engine.rewind(row, ply)]).toEqual([
            label,
            from,
            ply,
            { position, anchorPosition, anchorPly, moves, turn },
          ]);
        }
      }
    }
  });

  test('judges the continuation from there as before', () => {
    for (const game of games) {
      const end = game.plies.length;
      const row = storedAt(game, end);
      for (let ply = end - 1; ply >= 0; ply -= 29) {
        const upTo = Math.min(ply + 9, end);
        const again = must(replay(read(game, takenBack(row, ply)), game.plies.slice(ply, upTo)));
        expect([game.label, ply, judgement(again)]).toEqual([game.label, ply, judgement(game.states[upTo]!)]);
      }
    }
  });

  test('finds the last turn-up in the moves', () => {
    for (const { label, ...game } of games) {
      for (const count of [0, 1, game.plies.length >> 1, game.plies.length]) {
        const ups = game.plies.slice(0, count).flatMap(({ reveals }, at) => (reveals === null ? [] : [at + 1])); // prettier-ignore
        expect([label, engine.lastTurnUp(storedAt(game, count))]).toEqual([label, ups.at(-1) ?? 0]);
      }
    }
  });
});

/** Plies that follow a ply of the same player. */
let inARow = 0;

test.each(rulesets().map((ruleset) => [ruleset.id, ruleset] as const))(
  '%s: the last own ply is one of the last two',
  (_, ruleset) => {
    for (const { label, ...game } of randomGames(ruleset, 48)) {
      const moverOf = (ply: number) => ruleset.turn(position(game.states[ply - 1]!));
      for (let count = 0; count <= game.plies.length; count += 1 + (count >> 3)) {
        if (count > 1 && moverOf(count) === moverOf(count - 1)) inARow++;
        for (const player of PLAYERS) {
          const own = [count, count - 1].find((ply) => ply > 0 && moverOf(ply) === player) ?? 0;
          expect([label, count, engine.lastPlyOf(storedAt(game, count), player)]).toEqual([
            label,
            count,
            own,
          ]);
        }
      }
    }
  },
);

test('the games include turns of several plies', () => {
  expect(inARow).toBeGreaterThan(10);
});

const ROUND = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];

test('plies that were taken back no longer count, earlier ones do', () => {
  const row = storedAfter(chess, ['e2e4', 'e7e5', ...ROUND, ...ROUND]);
  expect(engine.claimable(row)).toEqual(['threefoldRepetition']);
  const back = takenBack(row, 9);
  expect([engine.claimable(back), back.anchorPly, back.turn]).toEqual([[], 2, 'second']);
  expect(engine.claimRefusal(back, 'threefoldRepetition')?.message).toMatch(/occurred twice/);
  expect(engine.claimWith(back, 'threefoldRepetition', 'f6g8').turn).toBeNull();
});

test('taking back a capture restores the previous repetition anchor', () => {
  const row = storedAfter(chess, ['e2e4', 'd7d5', 'g1f3', 'g8f6', 'e4d5']);
  expect(row.anchorPly).toBe(5);
  const { anchorPly, anchorPosition, position } = engine.rewind(row, 4);
  expect([anchorPly, anchorPosition]).toEqual([2, 'rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2']); // prettier-ignore
  expect(position).toBe('rnbqkb1r/ppp1pppp/5n2/3p4/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3');
});

test('ply 0 is the opening as it was drawn', () => {
  const row = storedAfter(halfCourtChess, ['a2a3', 'b4a3'], 'NQRBK/qbnrk');
  expect(engine.rewind(row, 0)).toEqual({
    position: 'qbnrk/ppppp/5/PPPPP/NQRBK w Kk - 0 1',
    anchorPosition: 'qbnrk/ppppp/5/PPPPP/NQRBK w Kk - 0 1',
    anchorPly: 0,
    moves: '',
    turn: 'first',
  });
});

test.each([-1, 3, 0.5])('refuses to rewind to ply %d', (ply) => {
  expect(() => engine.rewind(storedAfter(chess, ['e2e4', 'e7e5']), ply)).toThrow(RangeError);
});
