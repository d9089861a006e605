import { chess } from '../../src/rules/chess/chess.js';
import { halfCourtChess } from '../../src/rules/chess/half-court-chess.js';
import { play, resume, warnings } from '../../src/rules/play.js';
import type { AnyRuleset } from '../../src/rules/registry.js';
import { must } from '../support/random-games.js';

/** A move that completes a third repetition always has a warning with its consequence, under any rule. */

/** Kings and a rook each, moving to and fro, after `quiet` plies without a capture or a pawn move. */
const CASES: readonly (readonly [AnyRuleset, (quiet: number) => string, string])[] = [
  [chess, (quiet) => `4k2r/8/8/8/8/8/8/R3K3 w - - ${quiet} 90`, 'a1a2 h8h7 a2a1 h7h8'],
  [halfCourtChess, (quiet) => `3kr/5/5/5/R1K2 w - - ${quiet} 90`, 'a1a2 e5e4 a2a1 e4e5'],
];

describe.each(CASES.map(([ruleset, ...more]) => [ruleset.id, ruleset, ...more] as const))(
  '%s',
  (_, ruleset, fen, cycle) => {
    const moves = `${cycle} ${cycle}`.split(' ');

    /**
     * The warning for the last move of two cycles, which repeats the start for the third time, and the actual result.
     */
    function told(quiet: number): readonly unknown[] {
      let game = must(resume(ruleset, {}, { fen: fen(quiet), plies: [] }));
      for (const move of moves.slice(0, -1)) game = must(play(game, move, null)).game;
      const last = moves.at(-1)!;
      const said = warnings(game).find(({ move }) => move === last)?.outcome ?? null;
      const { game: after, ply } = must(play(game, last, null));
      return [said, after.outcome, ply.claimable];
    }

    it('announces a repetition that may be claimed', () => {
      expect(told(0)).toEqual([
        { winner: null, reason: 'threefoldRepetition' },
        null,
        ['threefoldRepetition'],
      ]);
      expect(told(141)).toEqual([
        { winner: null, reason: 'threefoldRepetition' },
        null,
        ['threefoldRepetition', 'fiftyMoves'],
      ]);
    });

    it('announces the end by the 75-move rule instead', () => {
      const draw = { winner: null, reason: 'seventyFiveMoves' };
      expect(told(142)).toEqual([draw, draw, []]);
    });
  },
);
