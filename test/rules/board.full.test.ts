import fc from 'fast-check';
import {
  pieceCodes,
  placed,
  placement,
  readPlacement,
  squareIndex,
  squaresOfMove,
} from '../../src/rules/board.js';
import * as rules from '../../src/rules/play.js';
import { rulesets } from '../../src/rules/registry.js';
import { randomGame } from '../support/random-games.js';
import { runs } from '../support/scale.js';

/** The reader of boards that all families share. */

const LETTERS = 'KQkq';
const CODES = pieceCodes(LETTERS, (letter) => LETTERS.indexOf(letter) + 1);

const read = (files: number, ranks: number, text: string): number[] | string => {
  const cells = Array.from({ length: files * ranks }, () => 0);
  return readPlacement({ files, ranks }, text, CODES, cells) ?? cells;
};

const print = (files: number, ranks: number, cells: readonly number[]): string =>
  placement({ files, ranks }, (square) => (cells[square] === 0 ? '' : LETTERS.charAt(cells[square]! - 1)));

test('reads back every board as it was printed', () => {
  const boards = fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 10 }))
    .chain(([files, ranks]) =>
      fc.tuple(
        fc.constant(files),
        fc.constant(ranks),
        fc.array(fc.nat(LETTERS.length), { minLength: files * ranks, maxLength: files * ranks }),
      ),
    );
  const property = fc.property(boards, ([files, ranks, cells]) => {
    expect(read(files, ranks, print(files, ranks, cells))).toEqual(cells);
  });
  fc.assert(property, runs(500));
});

test('refuses any other text with an explanation', () => {
  const near = fc.stringMatching(/^[KQkqx0-9/]{0,14}$/);
  const property = fc.property(fc.oneof(near, fc.string({ unit: 'binary' })), (text) => {
    const cells = read(4, 3, text);
    if (typeof cells === 'string') expect(cells).toMatch(/^(row [1-3] (has|must)|it (has|must have)) /);
    else expect(print(4, 3, cells)).toBe(text);
  });
  fc.assert(property, runs(2000));
});

test.each([
  ['4/4', 'it must have 3 rows; got 2'],
  ['4/4/4/4', 'it must have 3 rows; got 4'],
  ['4/4/31', 'row 1 has "31" where one digit from 1 to 9 must count the empty squares'],
  ['4/0K3/4', 'row 2 has "0K" where one digit from 1 to 9 must count the empty squares'],
  ['4/Kx2/4', 'row 2 has the unknown letter "x"'],
  ['5/4/4', 'row 3 has 5 squares instead of 4'],
  ['KQkqK/4/4', 'row 3 has 5 squares instead of 4'],
  ['4/KQ/4', 'row 2 has 2 squares instead of 4'],
  ['4/4/' + '9'.repeat(40), 'it has 44 characters, and at most 24 are possible'],
])('%s: %s', (text, fault) => {
  expect(read(4, 3, text)).toBe(fault);
});

test('every rule set places the pieces as the text of a position says', () => {
  for (const ruleset of rulesets()) {
    for (const { states } of [randomGame(ruleset, {}, 1), randomGame(ruleset, {}, 2)]) {
      for (const game of states) {
        const [text] = ruleset.fen(rules.position(game)).split(' ') as [string];
        const letters = new Map(
          placed(ruleset.board, text).map(({ square, letter }) => [
            squareIndex(ruleset.board, square),
            letter,
          ]),
        );
        expect(placement(ruleset.board, (square) => letters.get(square) ?? '')).toBe(text);
      }
    }
  }
});

test.each([
  ['e2e4', 'e2', 'e4', null],
  ['e7e8q', 'e7', 'e8', 'q'],
  ['h3h10', 'h3', 'h10', null],
  ['c5', 'c5', null, null],
  ['pass', null, null, null],
])('the path of %s', (move, from, to, promotion) => {
  expect(squaresOfMove(move)).toEqual({ from, to, promotion });
});
