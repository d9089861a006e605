import type { Move } from '../ruleset.js';
import { castlingBy } from './castling.js';
import { mayGo } from './find.js';
import { nameOf } from './geometry.js';
import { hasLegalMove } from './generate.js';
import { CASTLING, fromOf, promotionOf, specialOf, toOf } from './move.js';
import { PAWN, kindLetter } from './pieces.js';
import { capturedOn, play } from './play.js';
import { NO_SQUARE, type ChessPosition } from './position.js';

/** Standard algebraic notation: the shortest form that names one legal move. */
export const san = (position: ChessPosition, move: Move): string =>
  action(position, move) + suffix(play(position, move));

function suffix(after: ChessPosition): string {
  if (!after.check) return '';
  return hasLegalMove(after) ? '+' : '#';
}

function action(position: ChessPosition, move: Move): string {
  if (specialOf(move) === CASTLING) return castlingBy(position, move).san;
  const { board, cells, side } = position;
  const kind = cells[fromOf(move)]! * side;
  const captures = capturedOn(position, move) !== NO_SQUARE;
  const target = (captures ? 'x' : '') + nameOf(board, toOf(move));
  if (kind !== PAWN) return kindLetter(kind) + origin(position, move) + target;
  const file = captures ? nameOf(board, fromOf(move)).charAt(0) : '';
  return file + target + (promotionOf(move) === 0 ? '' : `=${kindLetter(promotionOf(move))}`);
}

/** The disambiguation of a move: the file, else the rank, else both. */
function origin(position: ChessPosition, move: Move): string {
  const { board } = position;
  const from = fromOf(move);
  const rivals = rivalsOf(position, from, toOf(move));
  if (rivals.length === 0) return '';
  const name = nameOf(board, from);
  if (rivals.every((square) => board.file[square] !== board.file[from])) return name.charAt(0);
  return rivals.every((square) => board.rank[square] !== board.rank[from]) ? name.slice(1) : name;
}

/** The other pieces of the same kind that may move to the square. */
function rivalsOf(position: ChessPosition, from: number, to: number): readonly number[] {
  const { cells } = position;
  const rivals: number[] = [];
  let square = cells.indexOf(cells[from]!);
  while (square >= 0) {
    if (square !== from && mayGo(position, square, to)) rivals.push(square);
    square = cells.indexOf(cells[from]!, square + 1);
  }
  return rivals;
}
