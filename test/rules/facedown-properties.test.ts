import { banqiHongkong, banqiTaiwan } from '../../src/rules/facedown/banqi.js';
import { halfChess } from '../../src/rules/facedown/half-chess.js';
import type { Position } from '../../src/rules/facedown/position.js';
import { find, legalMoves, position, type Game } from '../../src/rules/play.js';
import type { Ruleset } from '../../src/rules/ruleset.js';
import { must, randomGames } from '../support/random-games.js';

/** What is true in all positions of the face-down games. */

const RULESETS: readonly Ruleset<Position>[] = [banqiHongkong, banqiTaiwan, halfChess];

const fen = (game: Game<unknown>): string => game.ruleset.fen(position(game));

/** Every `step`-th state of random games under several options. */
const states = (ruleset: Ruleset<Position>, seed: number, step: number): Game<unknown>[] =>
  randomGames(ruleset, seed).flatMap((game) =>
    game.states.filter(({ outcome }, at) => outcome === null && at % step === 0),
  );

function squareNames({ files, ranks }: { readonly files: number; readonly ranks: number }): string[] {
  return Array.from({ length: files * ranks }, (_, square) => {
    return String.fromCharCode(97 + (square % files)) + String(Math.floor(square / files) + 1);
  });
}

describe('explanations', () => {
  /** What an explanation is about: a square, a kind of piece, or the turn. */
  const REASON = /[a-h][1-8]\b|[Aa]n? [a-z]+ (moves|captures|cannot)|is not a move|first ply/;

  /** The texts that are neither legal nor refused for a reason of the game. */
  function unexplained(game: Game<unknown>): string[] {
    const names = squareNames(game.ruleset.board);
    const legal = new Set(legalMoves(game));
    return [...names, ...names.flatMap((from) => names.map((to) => from + to))].filter((text) => {
      const found = find(game, text);
      if (found.ok || legal.has(text)) return found.ok !== legal.has(text);
      return /game is over/.test(found.refusal.message) || !REASON.test(found.refusal.message);
    });
  }

  test.each(RULESETS)(
    '$id: every square and every pair of squares is legal, or has an explanation',
    (ruleset) => {
      const sampled = states(ruleset, 5, 1).filter((_, at, all) => at % Math.floor(all.length / 80) === 0);
      expect(sampled.length).toBeGreaterThanOrEqual(80);
      for (const game of sampled) expect([fen(game), unexplained(game)]).toEqual([fen(game), []]);
    },
  );
});

describe('symmetry', () => {
  /** The position with left and right exchanged. */
  const mirrored = (text: string): string => {
    const [board, turn, first, chain, ...counts] = text.split(' ');
    const rows = board!.split('/').map((row) => [...row].reverse().join(''));
    return [rows.join('/'), turn, first, flip(text, chain!), ...counts].join(' ');
  };

  /** A move or square mirrored on the board of this position. */
  const flip = (text: string, move: string): string => {
    const row = text.slice(0, text.indexOf('/')).replace(/[0-9]/g, (run) => '.'.repeat(Number(run)));
    const files = 'abcdefgh'.slice(0, row.length);
    return move === 'pass' || move === '-'
      ? move
      : move.replace(/[a-h]/g, (file) => files.charAt(files.length - 1 - files.indexOf(file)));
  };

  /** The position with the two sides exchanged. */
  const swapped = (text: string, [one, two]: readonly string[]): string => {
    const [board, turn, first, ...rest] = text.split(' ');
    const pieces = board!.replace(/[a-wyzA-WYZ]/g, (letter) =>
      letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
    );
    return [pieces, turn, first === one ? two : first === two ? one : first, ...rest].join(' ');
  };

  const read = (game: Game<unknown>, text: string): unknown => must(game.ruleset.parse(text, game.options));

  const moves = ({ ruleset }: Game<unknown>, at: unknown): string[] =>
    ruleset
      .legalMoves(at)
      .map((move) => ruleset.text(move))
      .sort();

  test.each(RULESETS)('$id: mirrored boards and exchanged sides have the same moves', (ruleset) => {
    const initials = ruleset.sides.map((side) => side.charAt(0));
    for (const game of states(ruleset, 6, 20)) {
      const text = fen(game);
      const legal = moves(game, read(game, text));
      const flipped = moves(game, read(game, mirrored(text))).map((move) => flip(text, move));
      expect([text, flipped.sort()]).toEqual([text, legal]);
      expect([text, moves(game, read(game, swapped(text, initials)))]).toEqual([text, legal]);
      expect(legal).toHaveLength(ruleset.countLegalMoves(must(ruleset.parse(text, game.options))));
    }
  });
});
