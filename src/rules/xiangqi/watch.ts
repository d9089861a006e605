import * as attack from './attack.js';
import { nextPiece } from './attack.js';
import * as geometry from './geometry.js';
import { leapsFrom, rayFrom } from './geometry.js';
import * as pieces from './pieces.js';
import type { Cells, Side } from './pieces.js';
import { other } from './position.js';

// Constants of the module's own scope, for speed; see attack.ts.
const { CANNON, HORSE } = pieces;
const { HORSE_ORIGINS, RAYS, SQUARES } = geometry;
const { attacksDirectly } = attack;

/**
 * The squares that matter for the safety of a general. A move of another piece that neither leaves a square marked
 * LEAVING nor enters one marked ENTERING does not change whether it is in check, so only marked moves must be tried.
 */
export const watched = new Uint8Array(SQUARES);

export const LEAVING = 1;
export const ENTERING = 2;

/**
 * What is found around the general: nothing that a move could change by entering, a line or leg that it could, or a
 * check.
 */
export const CALM = 0;
export const OPEN = 1;
export const CHECKED = 2;

/** Marks the squares around the general of `side`: CALM, OPEN or CHECKED. */
export function watch(cells: Cells, side: Side, general: number): number {
  watched.fill(0);
  let alert = watchHorses(cells, side, general);
  for (let direction = 0; direction < 4; direction++) {
    const found = watchLine(cells, side, rayFrom(general, direction), direction);
    if (found > alert) alert = found;
  }
  return alert;
}

/** A horse gives check unless its leg is blocked, so moves onto or off the leg matter. */
function watchHorses(cells: Cells, side: Side, general: number): number {
  let alert = CALM;
  for (let at = leapsFrom(general); ; at += 2) {
    const from = HORSE_ORIGINS[at]!;
    if (from < 0) return alert;
    if (cells[from] !== -side * HORSE) continue;
    const leg = HORSE_ORIGINS[at + 1]!;
    watched[leg]! |= LEAVING | ENTERING;
    watched[from]! |= ENTERING;
    if (cells[leg] === 0) alert = CHECKED;
  }
}

/** Up to three pieces of a line matter: the third may be a cannon that waits for the loss of one screen. */
function watchLine(cells: Cells, side: Side, start: number, direction: number): number {
  const by = other(side);
  const first = nextPiece(cells, start);
  if (RAYS[first]! < 0) return CALM;
  const kind = cells[RAYS[first]!]! * by;
  if (attacksDirectly(kind, by, direction, first === start)) return watchEntering(start, first, CHECKED);
  const second = nextPiece(cells, first + 1);
  if (RAYS[second]! >= 0) {
    const next = cells[RAYS[second]!]! * by;
    if (next === CANNON) return watchCannon(start, first, second);
    const third = RAYS[nextPiece(cells, second + 1)]!;
    const isScreen = third >= 0 && cells[third] === by * CANNON;
    if (isScreen) watched[RAYS[second]!]! |= LEAVING;
    if (isScreen || attacksDirectly(next, by, direction, false)) watched[RAYS[first]!]! |= LEAVING;
  }
  return kind === CANNON ? watchEntering(start, first, OPEN) : CALM;
}

/** A cannon gives check over one screen; removing it or adding another answers the check. */
function watchCannon(start: number, screen: number, cannon: number): number {
  watched[RAYS[screen]!]! |= LEAVING;
  return watchEntering(start, cannon, CHECKED);
}

/** Marks a stretch of a line as far as and including its last piece. */
function watchEntering(start: number, last: number, alert: number): number {
  for (let at = start; at <= last; at++) watched[RAYS[at]!]! |= ENTERING;
  return alert;
}
