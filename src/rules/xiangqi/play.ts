import type { Move } from '../ruleset.js';
import { attackerAfter } from './attack.js';
import { NO_SQUARE } from './geometry.js';
import { fromOf, toOf } from './move.js';
import { BLACK, EMPTY } from './pieces.js';
import { generalOf, makePosition, other, type XiangqiPosition } from './position.js';

/** The position after a move of this position. */
export function play(position: XiangqiPosition, move: Move): XiangqiPosition {
  const { side, redGeneral, blackGeneral, quiet, number } = position;
  const from = fromOf(move);
  const to = toOf(move);
  const cells = position.cells.slice();
  cells[to] = cells[from]!;
  cells[from] = EMPTY;
  return makePosition(
    cells,
    other(side),
    generalAfter(redGeneral, from, to),
    generalAfter(blackGeneral, from, to),
    position.cells[to] === EMPTY ? quiet + 1 : 0,
    side === BLACK ? number + 1 : number,
  );
}

function generalAfter(general: number, from: number, to: number): number {
  if (general === from) return to;
  return general === to ? NO_SQUARE : general;
}

/** The square from which the mover's own general could be captured after a move, or NO_SQUARE. */
export function exposedTo(position: XiangqiPosition, move: Move): number {
  const { cells, side } = position;
  const from = fromOf(move);
  const to = toOf(move);
  if (to === generalOf(position, other(side))) return NO_SQUARE;
  const general = generalOf(position, side);
  return attackerAfter(cells, general === from ? to : general, other(side), from, to);
}
