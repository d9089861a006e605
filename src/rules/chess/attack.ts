import { isListed, leapsFrom, rayFrom, type Geometry } from './geometry.js';
import * as pieces from './pieces.js';
import type { Cells, Side } from './pieces.js';
import * as places from './places.js';
import { placeOf, wayOf } from './places.js';

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
 * A square from which a piece of the side `by` attacks `square`, -1 when none does; on the board as it is, or as it
 * becomes by a move of the other side from `left` to `entered`.
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
  for (let at = STARTS[wayOf(QUEEN, placeOf(board, square))]!; ;) {
    const from = SQUARES[at]!;
    if (from < 0) return -1;
    const piece = cells[from]!;
    if (from === entered) at = SKIPS[at]!;
    else if (piece === 0 || from === left) at++;
    else if (!isEnemy(piece, by) && reaches(piece, SEEN[at]!)) return from;
    else at = SKIPS[at]!;
  }
}

/**
 * Does a move of `by` from one square to another, already made on `cells`, give check: by the piece itself, or by one
 * behind it on a line to the king?
 */
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

/** Does the piece attack along this direction at all? */
const aims = (piece: number, direction: number): boolean =>
  ((REACH[piece + KING]! >> direction) & ANY_DISTANCE) !== 0;

/** Does the first piece that the king sees in a direction attack it, once the piece on `left` is gone? */
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
