import type { Move } from '../ruleset.js';
import { attacker } from './attack.js';
import { castlingBy, rightsAfter } from './castling.js';
import { pawnPathsOf, stepsFrom } from './geometry.js';
import { CASTLING, EN_PASSANT, fromOf, makeMove, promotionOf, specialOf, toOf } from './move.js';
import { BLACK, EMPTY, KING, PAWN, WHITE } from './pieces.js';
import { NO_SQUARE, kingOf, makePosition, other, type ChessPosition } from './position.js';

/** The square of the piece that the move captures, taken or not: beside the target when it is en passant. */
export const capturedOn = ({ board, side }: ChessPosition, move: Move): number =>
  specialOf(move) === EN_PASSANT ? toOf(move) - pawnPathsOf(board, side).forward : toOf(move);

/** The board after a move. */
export function cellsAfter(position: ChessPosition, move: Move): Int8Array {
  const cells = new Int8Array(position.cells);
  const from = fromOf(move);
  const to = toOf(move);
  const promotion = promotionOf(move);
  if (specialOf(move) === EN_PASSANT) cells[capturedOn(position, move)] = EMPTY;
  if (specialOf(move) === CASTLING) castleRook(cells, from, to);
  cells[to] = promotion === 0 ? cells[from]! : promotion * position.side;
  cells[from] = EMPTY;
  return cells;
}

function castleRook(cells: Int8Array, king: number, kingTo: number): void {
  const { rook, rookTo } = castlingBy(king, kingTo)!;
  cells[rookTo] = cells[rook]!;
  cells[rook] = EMPTY;
}

/** The position after a move of this position. */
export function play(position: ChessPosition, move: Move): ChessPosition {
  const { board, side, whiteKing, blackKing } = position;
  const from = fromOf(move);
  const to = toOf(move);
  const kind = position.cells[from]! * side;
  const cells = cellsAfter(position, move);
  const after = makePosition({
    board,
    cells,
    side: other(side),
    whiteKing: kind === KING && side === WHITE ? to : whiteKing,
    blackKing: kind === KING && side === BLACK ? to : blackKing,
    rights: position.rights === 0 ? 0 : rightsAfter(position.rights, from, to),
    enPassant: NO_SQUARE,
    quiet: kind === PAWN || position.cells[to] !== EMPTY ? 0 : position.quiet + 1,
    number: side === BLACK ? position.number + 1 : position.number,
  });
  const isDoubleStep = kind === PAWN && Math.abs(to - from) === 2 * board.size.files;
  return isDoubleStep ? withEnPassant(after, (from + to) / 2) : after;
}

/** The position with the passed square, if any pawn may legally capture there. */
export const withEnPassant = (position: ChessPosition, passed: number): ChessPosition =>
  mayTakeOn(position, passed) ? makePosition({ ...position, enPassant: passed }) : position;

function mayTakeOn(position: ChessPosition, passed: number): boolean {
  const { board, cells, side } = position;
  const { takes } = pawnPathsOf(board, other(side));
  for (let at = stepsFrom(passed); takes[at]! >= 0; at++) {
    const from = takes[at]!;
    if (cells[from] === side * PAWN && isSafe(position, makeMove(from, passed, 0, EN_PASSANT))) return true;
  }
  return false;
}

/** The square from which the mover's own king would be attacked after a move, NO_SQUARE if it would not be. */
export function attackerAfter(position: ChessPosition, move: Move): number {
  const { board, cells, side } = position;
  const king = cells[fromOf(move)] === side * KING ? toOf(move) : kingOf(position, side);
  return attacker(board, cellsAfter(position, move), king, other(side));
}

/** Does the move leave the own king out of check? */
export const isSafe = (position: ChessPosition, move: Move): boolean =>
  attackerAfter(position, move) === NO_SQUARE;
