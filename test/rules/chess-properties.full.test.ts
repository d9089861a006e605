import fc from 'fast-check';
import { chess } from '../../src/rules/chess/chess.js';
import { findMove } from '../../src/rules/chess/find.js';
import { halfCourtChess } from '../../src/rules/chess/half-court-chess.js';
import type { ChessPosition } from '../../src/rules/chess/position.js';
import { parseOptions } from '../../src/rules/options.js';
import { perft } from '../../src/rules/perft.js';
import { begin, legalMoves, play, position } from '../../src/rules/play.js';
import type { Ruleset } from '../../src/rules/ruleset.js';
import { setupOf } from '../../src/rules/setup.js';
import { must } from '../support/random-games.js';
import { runs } from '../support/scale.js';

/** What is true in both rule sets of the family. */
describe.each<[string, Ruleset<ChessPosition>]>([
  ['chess', chess],
  ['half-court-chess', halfCourtChess],
])('in random games of %s', (_, ruleset) => {
  const { files, ranks } = ruleset.board;
  const given = must(parseOptions(ruleset, {}));
  const names = Array.from({ length: files * ranks }, (_square, square) => {
    return String.fromCharCode(97 + (square % files)) + String(Math.floor(square / files) + 1);
  });

  /** The position in which the choices end; the first of them chooses the set-up, if it is drawn. */
  const reached = fc
    .tuple(fc.nat(14_399), fc.array(fc.nat(9999), { minLength: 4, maxLength: 80 }))
    .map(([number, choices]) => {
      const setup = ruleset.chance === 'setup' ? must(setupOf(ruleset, number)) : null;
      let now = begin(ruleset, given, setup);
      for (const choice of choices) {
        const moves = legalMoves(now);
        if (moves.length === 0) break;
        const next = must(play(now, moves[choice % moves.length]!, null)).game;
        if (next.outcome !== null) break;
        now = next;
      }
      return position(now);
    });

  const textsAt = (at: ChessPosition): readonly string[] => ruleset.legalMoves(at).map(ruleset.text).sort();

  test('every pair of squares is legal or refused for a specific reason', () => {
    const pairs = names.flatMap((from) => names.map((to) => from + to));
    fc.assert(
      fc.property(reached, (at) => {
        const legal = new Set(textsAt(at));
        const vague = pairs.filter(
          (text) => !legal.has(text) && /not among/.test(ruleset.explain(at, text).message),
        );
        expect([ruleset.fen(at), vague]).toEqual([ruleset.fen(at), []]);
      }),
      runs(100),
    );
  });

  test('a move is found by its text if and only if it is listed, and the count matches', () => {
    const texts = names.flatMap((from) =>
      names.flatMap((to) => ['', 'q', 'n', 'k'].map((end) => from + to + end)),
    );
    fc.assert(
      fc.property(reached, (at) => {
        const listed = new Map(ruleset.legalMoves(at).map((move) => [ruleset.text(move), move]));
        const wrong = texts.filter((text) => (findMove(at, text) ?? undefined) !== listed.get(text));
        expect([ruleset.fen(at), wrong, ruleset.countLegalMoves(at)]).toEqual([
          ruleset.fen(at),
          [],
          listed.size,
        ]);
      }),
      runs(60),
    );
  });

  const swapCase = (text: string): string =>
    text.replace(/[a-zA-Z]/g, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
  const flipRank = (text: string): string =>
    text.replace(/[1-8]/g, (rank) => String(ranks + 1 - Number(rank)));
  const flipFile = (text: string): string =>
    text.replace(/[a-h](?=[1-8])/g, (file) => String.fromCharCode(96 + files - (file.charCodeAt(0) - 97)));

  /** The position with the colours exchanged and the board turned. */
  function turned(fen: string): string {
    const [board, turn, castling, passed, ...counters] = fen.split(' ') as [string, string, string, string];
    const rows = swapCase(board).split('/').reverse().join('/');
    const rights = castling === '-' ? '-' : [...swapCase(castling)].sort().join('');
    return [rows, turn === 'w' ? 'b' : 'w', rights, flipRank(passed), ...counters].join(' ');
  }

  test('both sides have the same moves', () => {
    fc.assert(
      fc.property(reached, (at) => {
        const mirrored = must(ruleset.parse(turned(ruleset.fen(at)), given));
        expect(textsAt(mirrored)).toEqual(textsAt(at).map(flipRank).sort());
        expect(ruleset.check(mirrored)).toBe(ruleset.check(at));
      }),
      runs(100),
    );
  });

  test('without castling, left and right have the same moves', () => {
    fc.assert(
      fc.property(reached, (at) => {
        const [board, turn, , passed, ...counters] = ruleset.fen(at).split(' ') as [
          string,
          string,
          string,
          string,
        ];
        const rows = board.split('/').map((row) => [...row].reverse().join('')).join('/'); // prettier-ignore
        const plain = must(ruleset.parse([board, turn, '-', passed, ...counters].join(' '), given));
        const mirrored = must(
          ruleset.parse([rows, turn, '-', flipFile(passed), ...counters].join(' '), given),
        );
        expect(textsAt(mirrored)).toEqual(textsAt(plain).map(flipFile).sort());
        expect(perft(ruleset, mirrored, 2)).toBe(perft(ruleset, plain, 2));
      }),
      runs(100),
    );
  });
});
