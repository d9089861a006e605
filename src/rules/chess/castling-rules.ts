import type { BoardSize } from '../board.js';
import type { Move } from '../ruleset.js';
import type { Geometry } from './geometry.js';
import { CASTLING, makeMove } from './move.js';
import { BLACK, WHITE, type Side } from './pieces.js';

/** The castling tables of a rule set, and what ends the right to castle. */

/** One castling of one side. */
export interface Castling {
  readonly side: Side;
  readonly king: number;
  readonly rook: number;
  /** Its bit in `rights`. */
  readonly right: number;
  /** Its letter in the castling field, if not K or Q by the rook alone. */
  readonly letter: string;
  readonly san: string;
  readonly move: Move;
  /** The possible target squares; the first whose path is empty is used. */
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

/** The castlings of a rule set, indexed by the square of the king. */
export interface CastlingRules {
  readonly white: readonly (readonly Castling[])[];
  readonly black: readonly (readonly Castling[])[];
  /** True if each side has one rook to castle with; its letter is K unless a second rook is on its first rank. */
  readonly oneRook: boolean;
  /** How players write castling, for messages. */
  readonly written: string;
}

/** The board of a rule set. */
export interface Board extends Geometry {
  readonly castling: CastlingRules;
}

/** A castling as a rule set describes it; squares are given by file. */
export interface CastlingSpec {
  readonly letter: string;
  readonly san: string;
  readonly king: number;
  readonly rook: number;
  /** The target files of the king, in the order of preference. */
  readonly kingTo: readonly number[];
  /** The file that is written after the king's square. */
  readonly written: number;
}

/** The right to castle with the rook on this file: one bit per file and side. */
const rightOf = (side: Side, file: number): number => 1 << (side === WHITE ? file : 8 + file);

const RIGHTS_OF_WHITE = 0x00ff;
const RIGHTS_OF_BLACK = 0xff00;

const firstRank = ({ files, ranks }: BoardSize, side: Side): number =>
  side === WHITE ? 0 : files * (ranks - 1);

/** All files between two files, both included. */
const span = (a: number, b: number): readonly number[] =>
  Array.from({ length: Math.abs(a - b) + 1 }, (_, step) => Math.min(a, b) + step);

/** The rook lands next to the king, on the side that the king came from. */
function pathIndex(king: number, rook: number, kingTo: number, row: number): CastlingWay {
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
    ways: kingTo.map((file) => pathIndex(king, rook, file, row)),
  };
}

/** The castling tables of a rule set, the same for both sides. */
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

/** The rights after the king of one side has moved. */
export const rightsWithout = (rights: number, side: Side): number =>
  rights & ~(side === WHITE ? RIGHTS_OF_WHITE : RIGHTS_OF_BLACK);

/** The rights after a move between these squares, which ends that of a rook on either. */
export const rightsAfter = (board: Geometry, rights: number, from: number, to: number): number =>
  rights & ~(rightOn(board, from) | rightOn(board, to));

function rightOn({ squares, size: { files } }: Geometry, square: number): number {
  if (square < files) return rightOf(WHITE, square);
  return square >= squares - files ? rightOf(BLACK, square - squares + files) : 0;
}
