import type { BoardSize } from '../board.js';
import type { Move } from '../ruleset.js';
import type { Geometry } from './geometry.js';
import { CASTLING, makeMove } from './move.js';
import { BLACK, WHITE, type Side } from './pieces.js';

/** Who may castle how on an empty board, as tables of a rule set, and what ends the right to it. */

/** King and rook of one side where they may castle, wherever that is in the game. */
export interface Castling {
  readonly side: Side;
  readonly king: number;
  readonly rook: number;
  /** Its bit in `rights`. */
  readonly right: number;
  /** Its letter in the castling field, where the rook alone does not tell. */
  readonly letter: string;
  readonly san: string;
  readonly move: Move;
  /** The ways in which it can go; the first whose squares are empty is the one that counts. */
  readonly ways: readonly CastlingWay[];
}

export interface CastlingWay {
  readonly kingTo: number;
  readonly rookTo: number;
  /** The squares that must be empty, those nearest to the king first. */
  readonly empty: readonly number[];
  /** The squares that the king passes over. */
  readonly passed: readonly number[];
}

/** How a rule set castles. The lists of castlings are found by the square of the king. */
export interface CastlingRules {
  readonly white: readonly (readonly Castling[])[];
  readonly black: readonly (readonly Castling[])[];
  /** Does each side castle with its one rook? Then its letter is K as long as it has no other on its first rank. */
  readonly oneRook: boolean;
  /** How players write it, with an example. */
  readonly written: string;
}

/** The board of a rule set. */
export interface Board extends Geometry {
  readonly castling: CastlingRules;
}

/** One castling as a rule set describes it, all squares by their files. */
export interface CastlingSpec {
  readonly letter: string;
  readonly san: string;
  readonly king: number;
  readonly rook: number;
  /** Where the king may come to stand, what is tried first first. */
  readonly kingTo: readonly number[];
  /** The file that is written after the king's square. */
  readonly written: number;
}

/** The right to castle with the rook on this file: one bit a file and side. */
const rightOf = (side: Side, file: number): number => 1 << (side === WHITE ? file : 8 + file);

const RIGHTS_OF_WHITE = 0x00ff;
const RIGHTS_OF_BLACK = 0xff00;

const firstRank = ({ files, ranks }: BoardSize, side: Side): number =>
  side === WHITE ? 0 : files * (ranks - 1);

/** All files from one to another, whichever is greater. */
const span = (a: number, b: number): readonly number[] =>
  Array.from({ length: Math.abs(a - b) + 1 }, (_, step) => Math.min(a, b) + step);

/** The rook comes to stand next to the king, on the side from which the king has come. */
function wayOf(king: number, rook: number, kingTo: number, row: number): CastlingWay {
  const rookTo = kingTo + Math.sign(king - rook);
  const touched = new Set([...span(king, kingTo), ...span(rook, rookTo), ...span(king, rook)]);
  const empty = [...touched].filter((file) => file !== king && file !== rook);
  return {
    kingTo: row + kingTo,
    rookTo: row + rookTo,
    empty: empty.sort((a, b) => Math.abs(a - king) - Math.abs(b - king)).map((file) => row + file),
    passed: span(king, kingTo)
      .slice(1, -1)
      .map((file) => row + file),
  };
}

function castlingOf(size: BoardSize, side: Side, spec: CastlingSpec): Castling {
  const { letter, san, king, rook, kingTo, written } = spec;
  const row = firstRank(size, side);
  return {
    side,
    king: row + king,
    rook: row + rook,
    right: rightOf(side, rook),
    letter: side === WHITE ? letter : letter.toLowerCase(),
    san,
    move: makeMove(row + king, row + written, 0, CASTLING),
    ways: kingTo.map((file) => wayOf(king, rook, file, row)),
  };
}

/** The tables of the castlings of a rule set, which are the same for both sides. */
export function castlingRules(
  size: BoardSize,
  specs: readonly CastlingSpec[],
  { oneRook, written }: Pick<CastlingRules, 'oneRook' | 'written'>,
): CastlingRules {
  const byKing = (side: Side): readonly (readonly Castling[])[] => {
    const castlings = specs.map((spec) => castlingOf(size, side, spec));
    return Array.from({ length: size.files * size.ranks }, (_, square) =>
      castlings.filter(({ king }) => king === square),
    );
  };
  return { white: byKing(WHITE), black: byKing(BLACK), oneRook, written };
}

/** The castlings of a side whose king stands on this square. */
export const castlingsFrom = ({ castling }: Board, side: Side, king: number): readonly Castling[] =>
  (side === WHITE ? castling.white : castling.black)[king]!;

/** The rights without those of one side, whose king has moved. */
export const rightsWithout = (rights: number, side: Side): number =>
  rights & ~(side === WHITE ? RIGHTS_OF_WHITE : RIGHTS_OF_BLACK);

/** The rights after a move from or to these squares, which ends that of a rook standing there. */
export const rightsAfter = (board: Geometry, rights: number, from: number, to: number): number =>
  rights & ~(rightOn(board, from) | rightOn(board, to));

function rightOn({ squares, size: { files } }: Geometry, square: number): number {
  if (square < files) return rightOf(WHITE, square);
  return square >= squares - files ? rightOf(BLACK, square - squares + files) : 0;
}
