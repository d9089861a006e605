import type { Move } from '../ruleset.js';
import { attacker } from './attack.js';
import { castlingsFrom, type Castling, type CastlingWay } from './castling-rules.js';
import { fromOf, toOf } from './move.js';
import { EMPTY, ROOK } from './pieces.js';
import { NO_SQUARE, other, type ChessPosition } from './position.js';

/** Castling in a position. */

/** The castling of a castling move. */
export const castlingBy = ({ board, side }: ChessPosition, move: Move): Castling =>
  castlingsFrom(board, side, fromOf(move)).find((castling) => castling.move === move)!;

/** The castling that is written as a king's move to this square, or undefined. */
export function castlingWritten(
  { board, cells, side }: ChessPosition,
  king: number,
  to: number,
): Castling | undefined {
  const castling = castlingsFrom(board, side, king).find(({ move }) => toOf(move) === to);
  // Castling may be written to the rook's square, which is a plain king move if no own rook is on it.
  return castling?.rook === to && cells[to] !== side * ROOK ? undefined : castling;
}

export const hasRight = (position: ChessPosition, castling: Castling): boolean =>
  (position.rights & castling.right) !== 0;

/** The first occupied square of those that must be empty, or NO_SQUARE. */
export function firstTaken({ cells }: ChessPosition, { empty }: CastlingWay): number {
  for (const square of empty) if (cells[square] !== EMPTY) return square;
  return NO_SQUARE;
}

/** The way that castling takes here, or undefined if pieces block it. */
export function openWay(position: ChessPosition, { ways }: Castling): CastlingWay | undefined {
  for (const way of ways) if (firstTaken(position, way) === NO_SQUARE) return way;
  return undefined;
}

/**
 * The square from which the king would be attacked on a square that it passes over (before castling) or lands on
 * (after castling, with the rook gone from its square), or NO_SQUARE.
 */
export function attackerOn(
  { board, cells }: ChessPosition,
  { side, rook }: Castling,
  { kingTo }: CastlingWay,
  square: number,
): number {
  return attacker(board, cells, square, other(side), square === kingTo ? rook : NO_SQUARE);
}

/** The first attacked square of the king's path, or NO_SQUARE. The rook may pass over attacked squares. */
export function firstAttacked(position: ChessPosition, castling: Castling, way: CastlingWay): number {
  for (const square of way.passed) {
    if (attackerOn(position, castling, way, square) !== NO_SQUARE) return square;
  }
  return attackerOn(position, castling, way, way.kingTo) === NO_SQUARE ? NO_SQUARE : way.kingTo;
}

/** True if a side that is not in check may castle. */
export function mayCastle(position: ChessPosition, castling: Castling): boolean {
  if (!hasRight(position, castling)) return false;
  const way = openWay(position, castling);
  return way !== undefined && firstAttacked(position, castling, way) === NO_SQUARE;
}
