import { isListed, leapsFrom, rayFrom, type Geometry } from './geometry.js';
import * as pieces from './pieces.js';
import type { Cells, Side } from './pieces.js';
import * as places from './places.js';
import { placeOf, pathIndex } from './places.js';

// V8 folds the constants of a module's own scope but not imported ones.
const { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, isEnemy } = pieces;
const { KNIGHT_LEAPS, SEEN, SKIPS, SQUARES, STARTS } = places;

const STRAIGHT = 0b0000_1111;
const DIAGONAL = 0b1111_0000;
const DOWNWARD = 0b0110_0000;
const UPWARD = 0b1001_0000;
const NEXT = 8;
const ANY_DISTANCE = 0b1_0000_0001;

/**
 * The directions from a square in which this piece attacks it, one bit each as in geometry.ts: in the lower eight
 * bits at any distance, in the upper eight from the next square only.
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

/** True if the piece attacks a square that sees it in this direction (plus 8 if adjacent). */
export const reaches = (piece: number, seen: number): boolean => ((REACH[piece + KING]! >> seen) & 1) !== 0;

export const isNext = (seen: number): boolean => seen >= NEXT;

/** True if this piece slides in this direction. */
export const slides = (piece: number, direction: number): boolean => reaches(piece, direction);

/**
 * A square from which the side `by` attacks `square`, or -1; optionally after a move of the other side from `left` to
 * `entered`.
 */
export function attacker(
  board: Geometry,
  cells: Cells,
  square: number,
  by: Side,
  left = -1,
  entered = -1,
): number {
  for (let at = leapsFrom(placeOf(board, square)); ; at++) {
    const from = KNIGHT_LEAPS[at]!;
    if (from < 0) break;
    if (cells[from] === by * KNIGHT && from !== entered) return from;
  }
  for (let at = STARTS[pathIndex(QUEEN, placeOf(board, square))]!; ;) {
    const from = SQUARES[at]!;
    if (from < 0) return -1;
    const piece = cells[from]!;
    if (from === entered) at = SKIPS[at]!;
    else if (piece === 0 || from === left) at++;
    else if (!isEnemy(piece, by) && reaches(piece, SEEN[at]!)) return from;
    else at = SKIPS[at]!;
  }
}

/** True if a move of `by`, already made on `cells`, gives check directly or by discovery. */
export function givesCheck(
  board: Geometry,
  cells: Cells,
  king: number,
  by: Side,
  from: number,
  to: number,
): boolean {
  const piece = cells[to]!;
  if (piece === by * KNIGHT) {
    if (isListed(board.knight, leapsFrom(king), to)) return true;
  } else {
    const direction = board.line[king * board.squares + to]!;
    if (direction >= 0 && aims(piece, direction) && attacksAlong(board, cells, king, by, direction))
      return true;
  }
  const opened = board.line[king * board.squares + from]!;
  return opened >= 0 && attacksAlong(board, cells, king, by, opened);
}

const aims = (piece: number, direction: number): boolean =>
  ((REACH[piece + KING]! >> direction) & ANY_DISTANCE) !== 0;

/** True if the first piece in this direction from the king attacks it, ignoring the one on `left`. */
export function attacksAlong(
  board: Geometry,
  cells: Cells,
  king: number,
  by: Side,
  direction: number,
  left = -1,
): boolean {
  const { rays } = board;
  const start = rayFrom(king, direction);
  let at = start;
  while (rays[at]! >= 0 && (cells[rays[at]!] === 0 || rays[at] === left)) at++;
  if (rays[at]! < 0) return false;
  const met = cells[rays[at]!]!;
  return met * by > 0 && reaches(met, at === start ? direction + NEXT : direction);
}
