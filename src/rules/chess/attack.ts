import { leapsFrom, pathOf, type Geometry } from './geometry.js';
import * as pieces from './pieces.js';
import type { Side } from './pieces.js';

// V8 folds the constants of a module's own scope but not imported ones.
const { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, isEnemy } = pieces;

const STRAIGHT = 0b0000_1111;
const DIAGONAL = 0b1111_0000;
const DOWNWARD = 0b0110_0000;
const UPWARD = 0b1001_0000;
const NEXT = 8;

/**
 * The directions in which a square lies that a piece attacks, one bit each as in geometry.ts, seen from that square: in
 * the lower eight bits at any distance, in the upper eight if it is the next one.
 */
function reachOf(piece: number): number {
  switch (Math.abs(piece)) {
    case PAWN:
      return (piece > 0 ? DOWNWARD : UPWARD) << NEXT;
    case KING:
      return (STRAIGHT | DIAGONAL) << NEXT;
    case KNIGHT:
      return 0;
    default:
      return runsOf(piece) | (runsOf(piece) << NEXT);
  }
}

function runsOf(piece: number): number {
  const kind = Math.abs(piece);
  return (kind === BISHOP ? 0 : STRAIGHT) | (kind === ROOK ? 0 : DIAGONAL);
}

const REACH = Int32Array.from({ length: 2 * KING + 1 }, (_, index) =>
  index === KING ? 0 : reachOf(index - KING),
);

/** Does a piece attack the square from which it is seen so (a direction, plus 8 if it is next to it)? */
export const reaches = (piece: number, seen: number): boolean => ((REACH[piece + KING]! >> seen) & 1) !== 0;

export const isNext = (seen: number): boolean => seen >= NEXT;

/** Does this piece run along this direction? */
export const slides = (piece: number, direction: number): boolean => reaches(piece, direction);

/**
 * A square from which a piece of the side `by` attacks `square`, -1 when none does.
 * Lines pass through `absent` as if it were empty: a king that steps back along the line is still attacked.
 */
export function attacker(board: Geometry, cells: Int8Array, square: number, by: Side, absent = -1): number {
  const { knight } = board;
  const { starts, squares, skips, seen } = board.paths;
  for (let at = leapsFrom(square); ; at++) {
    const from = knight[at]!;
    if (from < 0) break;
    if (cells[from] === by * KNIGHT) return from;
  }
  for (let at = starts[pathOf(QUEEN, square)]!; ;) {
    const from = squares[at]!;
    if (from < 0) return -1;
    const piece = cells[from]!;
    if (piece === 0 || from === absent) at++;
    else if (!isEnemy(piece, by) && reaches(piece, seen[at]!)) return from;
    else at = skips[at]!;
  }
}
