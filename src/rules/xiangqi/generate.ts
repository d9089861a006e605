import type { Move } from '../ruleset.js';
import { attackerAfter, nextPiece } from './attack.js';
import * as geometry from './geometry.js';
import { leapsFrom, rayFrom, stepsFrom } from './geometry.js';
import { fromOf, makeMove, toOf } from './move.js';
import * as pieces from './pieces.js';
import type { Cells, Side } from './pieces.js';
import { exposedTo } from './play.js';
import { generalOf, other, type XiangqiPosition } from './position.js';
import * as watching from './watch.js';
import { watch } from './watch.js';

// Constants of the module's own scope, for speed; see attack.ts.
const { ADVISOR, CANNON, CHARIOT, ELEPHANT, GENERAL, HORSE, SOLDIER } = pieces;
const { ADVISOR_STEPS, BLACK_SOLDIER_STEPS, ELEPHANT_LEAPS, GENERAL_STEPS, HORSE_LEAPS } = geometry;
const { DOWN, RAYS, RED_SOLDIER_STEPS, SQUARES, UP } = geometry;
const { CALM, CHECKED, ENTERING, LEAVING, watched } = watching;

/**
 * Generators write moves to `out` from index `count` on and return the new count, so that counting builds no array.
 * `out` is large enough for a full set of pieces.
 */
const out = new Int16Array(256);

/** All legal moves under tournament rules, which do not leave the own general attacked. */
export const safeMoves = (position: XiangqiPosition): readonly Move[] => listed(countSafeMoves(position));

/** All legal moves under king capture; none when the general is gone. */
export const freeMoves = (position: XiangqiPosition): readonly Move[] => listed(countFreeMoves(position));

/** The moves under king capture after which the opponent can capture the general at once. */
export const losingMoves = (position: XiangqiPosition): readonly Move[] =>
  freeMoves(position).filter((move) => exposedTo(position, move) >= 0);

function listed(count: number): readonly Move[] {
  const moves = new Array<Move>(count);
  for (let at = 0; at < count; at++) moves[at] = out[at]!;
  return moves;
}

export function countFreeMoves(position: XiangqiPosition): number {
  const { cells, side } = position;
  const general = generalOf(position, side);
  if (general < 0) return 0;
  let count = 0;
  for (let from = 0; from < SQUARES; from++) {
    if (cells[from]! * side > 0) count = movesFrom(cells, side, from, count);
  }
  return flyingCapture(cells, side, general, stepMoves(GENERAL_STEPS, cells, side, general, count));
}

/** Only moves that may affect the safety of the general are checked. */
export function countSafeMoves(position: XiangqiPosition): number {
  const { cells, side } = position;
  const general = generalOf(position, side);
  if (general < 0) return 0;
  const alert = watch(cells, side, general);
  let count = 0;
  for (let from = 0; from < SQUARES; from++) {
    if (cells[from]! * side <= 0) continue;
    const start = count;
    count = movesFrom(cells, side, from, count);
    if (alert !== CALM || watched[from] !== 0) {
      count = keepSafe(cells, side, general, alert, start, count);
    }
  }
  return generalMoves(cells, side, general, count);
}

/** The moves of the own piece on a square, except for the general. */
function movesFrom(cells: Cells, side: Side, from: number, count: number): number {
  switch (cells[from]! * side) {
    case SOLDIER:
      return stepMoves(soldierSteps(side), cells, side, from, count);
    case ADVISOR:
      return stepMoves(ADVISOR_STEPS, cells, side, from, count);
    case ELEPHANT:
      return leapMoves(ELEPHANT_LEAPS, cells, side, from, count);
    case HORSE:
      return leapMoves(HORSE_LEAPS, cells, side, from, count);
    case CANNON:
      return cannonMoves(cells, side, from, count);
    case CHARIOT:
      return chariotMoves(cells, side, from, count);
    default:
      return count;
  }
}

const soldierSteps = (side: Side): Int8Array => (side > 0 ? RED_SOLDIER_STEPS : BLACK_SOLDIER_STEPS);

/** General, advisor and soldier go where their table says. */
function stepMoves(steps: Int8Array, cells: Cells, side: Side, from: number, count: number): number {
  for (let at = stepsFrom(from); ; at++) {
    const to = steps[at]!;
    if (to < 0) return count;
    if (cells[to]! * side <= 0) out[count++] = makeMove(from, to);
  }
}

/** Horse and elephant leap unless the square that they pass is occupied. */
function leapMoves(leaps: Int8Array, cells: Cells, side: Side, from: number, count: number): number {
  for (let at = leapsFrom(from); ; at += 2) {
    const to = leaps[at]!;
    if (to < 0) return count;
    if (cells[leaps[at + 1]!] === 0 && cells[to]! * side <= 0) out[count++] = makeMove(from, to);
  }
}

/** A chariot slides to the first piece of each line and captures it if it is the enemy's. */
function chariotMoves(cells: Cells, side: Side, from: number, count: number): number {
  for (let direction = 0; direction < 4; direction++) {
    let at = rayFrom(from, direction);
    for (; RAYS[at]! >= 0 && cells[RAYS[at]!] === 0; at++) out[count++] = makeMove(from, RAYS[at]!);
    const target = RAYS[at]!;
    if (target >= 0 && cells[target]! * side < 0) out[count++] = makeMove(from, target);
  }
  return count;
}

/** A cannon slides like the chariot, jumps the first piece of the line and captures the second. */
function cannonMoves(cells: Cells, side: Side, from: number, count: number): number {
  for (let direction = 0; direction < 4; direction++) {
    let at = rayFrom(from, direction);
    for (; RAYS[at]! >= 0 && cells[RAYS[at]!] === 0; at++) out[count++] = makeMove(from, RAYS[at]!);
    if (RAYS[at]! < 0) continue;
    const target = RAYS[nextPiece(cells, at + 1)]!;
    if (target >= 0 && cells[target]! * side < 0) out[count++] = makeMove(from, target);
  }
  return count;
}

/** Under king capture the general takes the other one along an open file. */
function flyingCapture(cells: Cells, side: Side, from: number, count: number): number {
  for (const direction of [UP, DOWN]) {
    const target = RAYS[nextPiece(cells, rayFrom(from, direction))]!;
    if (target >= 0 && cells[target] === -side * GENERAL) out[count++] = makeMove(from, target);
  }
  return count;
}

/** Steps of the general to squares that are not attacked. */
function generalMoves(cells: Cells, side: Side, from: number, count: number): number {
  for (let at = stepsFrom(from); ; at++) {
    const to = GENERAL_STEPS[at]!;
    if (to < 0) return count;
    if (cells[to]! * side > 0) continue;
    if (attackerAfter(cells, to, other(side), from, to) < 0) out[count++] = makeMove(from, to);
  }
}

/** Keeps the moves after which the general is not in check; only those on watched squares can change that. */
function keepSafe(
  cells: Cells,
  side: Side,
  general: number,
  alert: number,
  start: number,
  end: number,
): number {
  let count = start;
  for (let at = start; at < end; at++) {
    const move = out[at]!;
    const from = fromOf(move);
    const to = toOf(move);
    const isWatched = ((watched[from]! & LEAVING) | (watched[to]! & ENTERING)) !== 0;
    const isSafe = isWatched ? attackerAfter(cells, general, other(side), from, to) < 0 : alert !== CHECKED;
    if (isSafe) out[count++] = move;
  }
  return count;
}
