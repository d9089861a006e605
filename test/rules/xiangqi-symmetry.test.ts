import { position } from '../../src/rules/play.js';
import type { Outcome } from '../../src/rules/ruleset.js';
import type { XiangqiPosition } from '../../src/rules/xiangqi/position.js';
import { xiangqi, xiangqiTournament } from '../../src/rules/xiangqi/xiangqi.js';
import { must, randomGame } from '../support/random-games.js';

/** A mirrored position has the mirrored moves: left and right, and Red and Black, do not differ. */

interface Mirror {
  readonly fen: (fen: string) => string;
  readonly square: (file: number, rank: number) => string;
  readonly outcome: (outcome: Outcome | null) => Outcome | null;
}

const square = (file: number, rank: number): string => String.fromCharCode(97 + file) + String(rank + 1);
const reversed = (text: string): string => [...text].reverse().join('');
const swapped = (text: string): string =>
  [...text].map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())).join(''); // prettier-ignore

/** Left and right. */
const files: Mirror = {
  fen: (fen) => {
    const [board, ...rest] = fen.split(' ') as [string, ...string[]];
    return [board.split('/').map(reversed).join('/'), ...rest].join(' ');
  },
  square: (file, rank) => square(8 - file, rank),
  outcome: (outcome) => outcome,
};

/** The board turned round with the colours swapped. */
const sides: Mirror = {
  fen: (fen) => {
    const [board, turn, ...rest] = fen.split(' ') as [string, string, ...string[]];
    return [swapped(reversed(board)), turn === 'w' ? 'b' : 'w', ...rest].join(' ');
  },
  square: (file, rank) => square(8 - file, 9 - rank),
  outcome: (outcome) =>
    outcome?.winner ? { ...outcome, winner: outcome.winner === 'first' ? 'second' : 'first' } : outcome,
};

const mirrored = (mirror: Mirror, text: string): string =>
  text.replace(/([a-i])([0-9]+)/g, (_, file: string, rank: string) =>
    mirror.square(file.charCodeAt(0) - 97, Number(rank) - 1),
  );

describe.each([xiangqi, xiangqiTournament])('$id', (rules) => {
  const states = [11, 12, 13, 14].flatMap((seed) => randomGame(rules, {}, seed).states).filter((_, i) => i % 3 === 0); // prettier-ignore

  test.each([
    ['left and right', files],
    ['Red and Black', sides],
  ])('%s', (_, mirror) => {
    for (const state of states) {
      const at = position(state) as XiangqiPosition;
      const twin = must(rules.parse(mirror.fen(rules.fen(at)), {}));
      const texts = (moves: readonly number[]): string[] => moves.map(rules.text);
      const told = (of: XiangqiPosition) => [rules.check(of), rules.countLegalMoves(of)];
      expect(texts(rules.legalMoves(twin)).sort()).toEqual(
        texts(rules.legalMoves(at)).map((text) => mirrored(mirror, text)).sort(), // prettier-ignore
      );
      expect(texts(rules.losing(twin)).sort()).toEqual(
        texts(rules.losing(at)).map((text) => mirrored(mirror, text)).sort(), // prettier-ignore
      );
      expect(told(twin)).toEqual(told(at));
      const alone = (of: XiangqiPosition) => rules.outcome({ positions: [of], moves: [] });
      expect(alone(twin)).toEqual(mirror.outcome(alone(at)));
    }
  });
});
