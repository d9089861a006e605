import type { Move } from '../ruleset.js';
import { attacker } from './attack.js';
import { rightsAfter, rightsAfterKing } from './castling-rules.js';
import { castlingBy, openWay } from './castling.js';
import { pawnPathsOf, stepsFrom } from './geometry.js';
import { CASTLING, EN_PASSANT, fromOf, makeMove, promotionOf, specialOf, toOf } from './move.js';
import * as pieces from './pieces.js';
import { NO_SQUARE, kingOf, makePosition, other, type ChessPosition } from './position.js';

// Constants of the module's own scope, for speed; see attack.ts.
const { BLACK, EMPTY, KING, PAWN, WHITE } = pieces;

/** The square of the piece that the move captures, NO_SQUARE when it captures none. */
export function capturedOn({ board, cells, side }: ChessPosition, move: Move): number {
  const to = toOf(move);
  if (specialOf(move) === EN_PASSANT) return to - pawnPathsOf(board, side).forward;
  return cells[to]! * side < 0 ? to : NO_SQUARE;
}

/** Makes a move that is no castling on `cells`, a copy of the board. */
function moveOn(cells: Int8Array, position: ChessPosition, move: Move): Int8Array {
  const from = fromOf(move);
  const promotion = promotionOf(move);
  if (specialOf(move) === EN_PASSANT) cells[capturedOn(position, move)] = EMPTY;
  cells[toOf(move)] = promotion === 0 ? cells[from]! : promotion * position.side;
  cells[from] = EMPTY;
  return cells;
}

/** The board after a move that is no castling. */
const cellsAfter = (position: ChessPosition, move: Move): Int8Array =>
  moveOn(new Int8Array(position.cells), position, move);

/** The position after a move of this position. */
export function play(position: ChessPosition, move: Move): ChessPosition {
  if (specialOf(move) === CASTLING) return castle(position, move);
  const { board, cells, side, whiteKing, blackKing, rights } = position;
  const from = fromOf(move);
  const to = toOf(move);
  const kind = cells[from]! * side;
  if (kind === KING) return afterKing(position, cellsAfter(position, move), to, cells[to] !== EMPTY);
  const after = makePosition({
    board,
    cells: cellsAfter(position, move),
    side: other(side),
    whiteKing,
    blackKing,
    rights: rights === 0 ? 0 : rightsAfter(board, rights, from, to),
    enPassant: NO_SQUARE,
    quiet: kind === PAWN || cells[to] !== EMPTY ? 0 : position.quiet + 1,
    number: side === BLACK ? position.number + 1 : position.number,
  });
  const isDoubleStep = kind === PAWN && Math.abs(to - from) === 2 * board.size.files;
  return isDoubleStep ? withEnPassant(after, (from + to) / 2) : after;
}

/** The position after a move of the king to this square, by which the board has become so. */
function afterKing(position: ChessPosition, cells: Int8Array, to: number, captures: boolean): ChessPosition {
  const { board, side, whiteKing, blackKing, rights } = position;
  return makePosition({
    board,
    cells,
    side: other(side),
    whiteKing: side === WHITE ? to : whiteKing,
    blackKing: side === BLACK ? to : blackKing,
    rights: rights === 0 ? 0 : rightsAfterKing(board, rights, side, to),
    enPassant: NO_SQUARE,
    quiet: captures ? 0 : position.quiet + 1,
    number: side === BLACK ? position.number + 1 : position.number,
  });
}

function castle(position: ChessPosition, move: Move): ChessPosition {
  const { side } = position;
  const castling = castlingBy(position, move);
  const { kingTo, rookTo } = openWay(position, castling)!;
  const cells = new Int8Array(position.cells);
  cells[castling.king] = EMPTY;
  cells[castling.rook] = EMPTY;
  cells[kingTo] = side * KING;
  cells[rookTo] = side * pieces.ROOK;
  return afterKing(position, cells, kingTo, false);
}

/** The position with the passed square, if any pawn may legally capture there. */
export const withEnPassant = (position: ChessPosition, passed: number): ChessPosition =>
  mayTakeOn(position, passed) ? makePosition(position, passed) : position;

function mayTakeOn(position: ChessPosition, passed: number): boolean {
  const { board, cells, side } = position;
  const { takes } = pawnPathsOf(board, other(side));
  for (let at = stepsFrom(passed); takes[at]! >= 0; at++) {
    const from = takes[at]!;
    if (cells[from] === side * PAWN && isSafe(position, makeMove(from, passed, 0, EN_PASSANT))) return true;
  }
  return false;
}

/** Where moves are tried, so that trying one makes no board. */
const tried = new Int8Array(64);

/** The square from which the mover's own king would be attacked after a move, NO_SQUARE if it would not be. */
export function attackerAfter(position: ChessPosition, move: Move): number {
  const { board, cells, side } = position;
  const king = cells[fromOf(move)] === side * KING ? toOf(move) : kingOf(position, side);
  tried.set(cells);
  return attacker(board, moveOn(tried, position, move), king, other(side));
}

/** Does the move leave the own king out of check? */
export const isSafe = (position: ChessPosition, move: Move): boolean =>
  attackerAfter(position, move) === NO_SQUARE;
