import * as geometry from './geometry.js';
import { leapsFrom, rayFrom } from './geometry.js';
import * as pieces from './pieces.js';
import type { Cells, Side } from './pieces.js';
import { generalOf, other, type XiangqiPosition } from './position.js';

// V8 folds the constants of a module's own scope but not imported ones: a third of the speed of move generation.
const { CANNON, CHARIOT, GENERAL, HORSE, SOLDIER } = pieces;
const { DOWN, HORSE_ORIGINS, NO_SQUARE, RAYS, UP } = geometry;

/** A square from which the side `by` attacks a general on `square`, or NO_SQUARE. */
export const attacker = (cells: Cells, square: number, by: Side): number =>
  attackerAfter(cells, square, by, NO_SQUARE, NO_SQUARE);

/** Like attacker, after a move of another piece, or of the general to `square`. */
export function attackerAfter(cells: Cells, square: number, by: Side, from: number, to: number): number {
  const horse = horseAfter(cells, square, by, from, to);
  if (horse >= 0) return horse;
  for (let direction = 0; direction < 4; direction++) {
    const found = attackerAlong(cells, square, by, direction, from, to);
    if (found >= 0) return found;
  }
  return NO_SQUARE;
}

function horseAfter(cells: Cells, square: number, by: Side, from: number, to: number): number {
  for (let at = leapsFrom(square); ; at += 2) {
    const horse = HORSE_ORIGINS[at]!;
    if (horse < 0) return NO_SQUARE;
    if (cells[horse] !== by * HORSE || horse === to) continue;
    const leg = HORSE_ORIGINS[at + 1]!;
    if (leg !== to && (cells[leg] === 0 || leg === from)) return horse;
  }
}

/** The first piece of a ray attacks as chariot, soldier or facing general, the second as cannon. */
function attackerAlong(
  cells: Cells,
  square: number,
  by: Side,
  direction: number,
  from: number,
  to: number,
): number {
  const start = rayFrom(square, direction);
  const first = nextAfter(cells, start, from, to);
  const near = RAYS[first]!;
  if (near < 0) return NO_SQUARE;
  if (near !== to && attacksDirectly(cells[near]! * by, by, direction, first === start)) return near;
  const far = RAYS[nextAfter(cells, first + 1, from, to)]!;
  return far >= 0 && far !== to && cells[far] === by * CANNON ? far : NO_SQUARE;
}

/** Where the next piece of a ray stands in the table, or the ray's end. */
export function nextPiece(cells: Cells, start: number): number {
  let at = start;
  while (RAYS[at]! >= 0 && cells[RAYS[at]!] === 0) at++;
  return at;
}

/** The same after a move. */
function nextAfter(cells: Cells, start: number, from: number, to: number): number {
  for (let at = start; ; at++) {
    const square = RAYS[at]!;
    if (square < 0 || square === to || (cells[square] !== 0 && square !== from)) return at;
  }
}

/**
 * True if this kind attacks a general along an open line. `direction` is seen from the general: a general attacks
 * along files only, a soldier from the next square and not backward.
 */
export const attacksDirectly = (kind: number, by: Side, direction: number, isNext: boolean): boolean =>
  kind === CHARIOT ||
  (kind === GENERAL && (direction === UP || direction === DOWN)) ||
  (kind === SOLDIER && isNext && direction !== (by > 0 ? UP : DOWN));

/** The square from which the side to move is in check, or NO_SQUARE. */
export function checker(position: XiangqiPosition): number {
  const { cells, side } = position;
  const general = generalOf(position, side);
  return general < 0 ? NO_SQUARE : attacker(cells, general, other(side));
}

export const inCheck = (position: XiangqiPosition): boolean => checker(position) !== NO_SQUARE;
