import type { Player } from '../ruleset.js';
import { attacker } from './attack.js';
import type { Board } from './castling-rules.js';
import { WHITE, type Cells, type Side } from './pieces.js';

/** A position of the family. `cells` must not be changed once it is made. */
export interface ChessPosition {
  readonly board: Board;
  readonly cells: Cells;
  /** Who is to move. */
  readonly side: Side;
  readonly whiteKing: number;
  readonly blackKing: number;
  /** The castling rights, one bit each; see castling.ts. */
  readonly rights: number;
  /** The square that a pawn has just passed, if it can legally be captured en passant, else NO_SQUARE. */
  readonly enPassant: number;
  /** Is the side to move in check? */
  readonly check: boolean;
  /** Plies since the last capture or pawn move. */
  readonly quiet: number;
  /** The move number, from 1, one higher after each ply of Black. */
  readonly number: number;
}

/** All positions are made with their fields in this order: one shape in memory, twice the speed of generation. */
export const makePosition = (
  fields: ChessPosition,
  cells = fields.cells,
  enPassant = fields.enPassant,
): ChessPosition => ({
  board: fields.board,
  cells,
  side: fields.side,
  whiteKing: fields.whiteKing,
  blackKing: fields.blackKing,
  rights: fields.rights,
  enPassant,
  check: fields.check,
  quiet: fields.quiet,
  number: fields.number,
});

export const NO_SQUARE = -1;

export const playerOf = (side: Side): Player => (side === WHITE ? 'first' : 'second');

export const other = (side: Side): Side => -side as Side;

export const kingOf = (position: ChessPosition, side: Side): number =>
  side === WHITE ? position.whiteKing : position.blackKing;

/** The square from which the side to move is in check, or NO_SQUARE. */
export const checker = ({ board, cells, side, whiteKing, blackKing }: ChessPosition): number =>
  attacker(board, cells, side === WHITE ? whiteKing : blackKing, other(side));

/** Equal for repetition: board, side to move, castling rights and a legal en passant capture. */
export function samePosition(a: ChessPosition, b: ChessPosition): boolean {
  if (a.side !== b.side || a.rights !== b.rights || a.enPassant !== b.enPassant) return false;
  for (let square = 0; square < a.cells.length; square++) {
    if (a.cells[square] !== b.cells[square]) return false;
  }
  return true;
}
