import type { Player } from '../ruleset.js';
import { BLACK, EMPTY, RED, pieceOf, type Cells, type Side } from './pieces.js';

/** A position of the family. `cells` must not be changed once it is made. */
export interface XiangqiPosition {
  readonly cells: Cells;
  /** Who is to move. */
  readonly side: Side;
  /** Where the generals stand; NO_SQUARE for one that has been captured. */
  readonly redGeneral: number;
  readonly blackGeneral: number;
  /** Plies since the last capture. */
  readonly quiet: number;
  /** The move number, from 1, one higher after each ply of Black. */
  readonly number: number;
}

/** All positions are made with their fields in this order: one shape in memory, for the speed of generation. */
export const makePosition = (
  cells: Cells,
  side: Side,
  redGeneral: number,
  blackGeneral: number,
  quiet: number,
  number: number,
): XiangqiPosition => ({ cells, side, redGeneral, blackGeneral, quiet, number });

export const START: XiangqiPosition = makePosition(
  Array.from(
    'RNBAKABNR' + '         ' + ' C     C ' + 'P P P P P' + ' '.repeat(18) +
    'p p p p p' + ' c     c ' + '         ' + 'rnbakabnr', // prettier-ignore
    pieceOf,
  ),
  RED,
  4,
  85,
  0,
  1,
);

export const playerOf = (side: Side): Player => (side === RED ? 'first' : 'second');
export const sidePlayedBy = (player: Player): Side => (player === 'first' ? RED : BLACK);

export const other = (side: Side): Side => -side as Side;

export const generalOf = (position: XiangqiPosition, side: Side): number =>
  side === RED ? position.redGeneral : position.blackGeneral;

/** The same board with this side to move. */
export const withTurn = (position: XiangqiPosition, side: Side): XiangqiPosition =>
  makePosition(
    position.cells,
    side,
    position.redGeneral,
    position.blackGeneral,
    position.quiet,
    position.number,
  );

/** Equal for repetition: board and side to move. */
export function samePosition(a: XiangqiPosition, b: XiangqiPosition): boolean {
  if (a.side !== b.side) return false;
  const { cells } = a;
  for (let square = 0; square < cells.length; square++) {
    if (cells[square] !== b.cells[square]) return false;
  }
  return true;
}

/** Does the side have a piece for which this holds? */
export function has(position: XiangqiPosition, side: Side, wanted: (piece: number) => boolean): boolean {
  return position.cells.some((piece) => piece !== EMPTY && piece > 0 === side > 0 && wanted(piece));
}
