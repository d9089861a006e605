import { leapsFrom, type Geometry } from './geometry.js';
import * as pieces from './pieces.js';
import type { Cells, Side } from './pieces.js';
import * as places from './places.js';
import { pawnPlaceOf, placeOf, pathIndex } from './places.js';

// Constants of the module's own scope, for speed; see attack.ts.
const { PAWN, KNIGHT } = pieces;
const { FIRST_STEP, KNIGHT_LEAPS, LEFT_TAKE, PAWN_KINDS, RIGHT_TAKE, SECOND_STEP, SKIPS, SQUARES, STARTS } =
  places;

/** Counts the moves of a piece without listing them. */

// 1 or 0 without a branch, since the processor cannot predict the contents of a square.
const isFree = (piece: number): number => 1 + ((piece | -piece) >> 31);
const isFoe = (piece: number, side: Side): number => (piece * side) >>> 31;
const isOwn = (piece: number, side: Side): number => (piece * -side) >>> 31;

/** The number of moves of a piece that is neither king nor pinned, without check, not counting en passant. */
export function countMoves(board: Geometry, cells: Cells, side: Side, kind: number, from: number): number {
  if (kind === PAWN) return countPawn(cells, side, pawnPlaceOf(board, side, from));
  const place = placeOf(board, from);
  return kind === KNIGHT
    ? countLeaps(cells, side, leapsFrom(place))
    : countRuns(cells, side, STARTS[pathIndex(kind, place)]!);
}

/** The number of moves to squares marked 1, which are empty or the enemy's. */
export function countMovesTo(
  marks: Int8Array,
  board: Geometry,
  cells: Cells,
  side: Side,
  kind: number,
  from: number,
): number {
  return kind === PAWN
    ? countPawnTo(marks, cells, side, pawnPlaceOf(board, side, from))
    : countWayTo(marks, cells, STARTS[pathIndex(kind, placeOf(board, from))]!);
}

function countPawn(cells: Cells, side: Side, place: number): number {
  const steps = isFree(cells[FIRST_STEP[place]!]!) * (1 + isFree(cells[SECOND_STEP[place]!]!));
  const takes = isFoe(cells[LEFT_TAKE[place]!]!, side) + isFoe(cells[RIGHT_TAKE[place]!]!, side);
  return (steps + takes) * PAWN_KINDS[place]!;
}

function countPawnTo(marks: Int8Array, cells: Cells, side: Side, place: number): number {
  const first = FIRST_STEP[place]!;
  const second = SECOND_STEP[place]!;
  const left = LEFT_TAKE[place]!;
  const right = RIGHT_TAKE[place]!;
  const steps = isFree(cells[first]!) * (marks[first]! + isFree(cells[second]!) * marks[second]!);
  const takes = isFoe(cells[left]!, side) * marks[left]! + isFoe(cells[right]!, side) * marks[right]!;
  return (steps + takes) * PAWN_KINDS[place]!;
}

function countLeaps(cells: Cells, side: Side, start: number): number {
  let count = 0;
  for (let at = start; ; at++) {
    const to = KNIGHT_LEAPS[at]!;
    if (to < 0) return count;
    count += 1 - isOwn(cells[to]!, side);
  }
}

function countRuns(cells: Cells, side: Side, start: number): number {
  let count = 0;
  for (let at = start; ;) {
    const to = SQUARES[at]!;
    if (to < 0) return count;
    const met = cells[to]!;
    if (met === 0) {
      count++;
      at++;
    } else {
      count += isFoe(met, side);
      at = SKIPS[at]!;
    }
  }
}

function countWayTo(marks: Int8Array, cells: Cells, start: number): number {
  let count = 0;
  for (let at = start; ;) {
    const to = SQUARES[at]!;
    if (to < 0) return count;
    count += marks[to]!;
    at = cells[to] === 0 ? at + 1 : SKIPS[at]!;
  }
}
