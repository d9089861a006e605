import type { Move } from '../ruleset.js';
import { attacker } from './attack.js';
import { castlingsFrom, type Castling, type CastlingWay } from './castling-rules.js';
import { fromOf, toOf } from './move.js';
import { EMPTY, ROOK } from './pieces.js';
import { NO_SQUARE, other, type ChessPosition } from './position.js';

/** Castling as the pieces stand. */

/** The castling of a move that is one. */
export const castlingBy = ({ board, side }: ChessPosition, move: Move): Castling =>
  castlingsFrom(board, side, fromOf(move)).find((castling) => castling.move === move)!;

/** The castling that a king's move to this square is written as, undefined where it is another move. */
export function castlingWritten(
  { board, cells, side }: ChessPosition,
  king: number,
  to: number,
): Castling | undefined {
  const castling = castlingsFrom(board, side, king).find(({ move }) => toOf(move) === to);
  // Where the rook's square is written, the king may also go there, unless his rook is on it.
  return castling?.rook === to && cells[to] !== side * ROOK ? undefined : castling;
}

export const hasRight = (position: ChessPosition, castling: Castling): boolean =>
  (position.rights & castling.right) !== 0;

/** The first square that must be empty and is not, NO_SQUARE when all are. */
export function firstTaken({ cells }: ChessPosition, { empty }: CastlingWay): number {
  for (const square of empty) if (cells[square] !== EMPTY) return square;
  return NO_SQUARE;
}

/** The way that the castling goes here, undefined when a piece stands between king and rook. */
export function openWay(position: ChessPosition, { ways }: Castling): CastlingWay | undefined {
  for (const way of ways) if (firstTaken(position, way) === NO_SQUARE) return way;
  return undefined;
}

/**
 * The square from where the king would be attacked on a square that it passes over (as things stand before castling)
 * or lands on (as they stand after it, when the rook shields nothing where it stood), NO_SQUARE when none.
 */
export function attackerOn(
  { board, cells }: ChessPosition,
  { side, rook }: Castling,
  { kingTo }: CastlingWay,
  square: number,
): number {
  return attacker(board, cells, square, other(side), square === kingTo ? rook : NO_SQUARE);
}

/** The first square of the king's way that is attacked, NO_SQUARE when none is. The rook may pass over such ones. */
export function firstAttacked(position: ChessPosition, castling: Castling, way: CastlingWay): number {
  for (const square of way.passed) {
    if (attackerOn(position, castling, way, square) !== NO_SQUARE) return square;
  }
  return attackerOn(position, castling, way, way.kingTo) === NO_SQUARE ? NO_SQUARE : way.kingTo;
}

/** May a side that is not in check castle so? */
export function mayCastle(position: ChessPosition, castling: Castling): boolean {
  if (!hasRight(position, castling)) return false;
  const way = openWay(position, castling);
  return way !== undefined && firstAttacked(position, castling, way) === NO_SQUARE;
}
