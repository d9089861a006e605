import type { Move } from '../ruleset.js';
import { slides } from './attack.js';
import { castlingWritten, mayCastle } from './castling.js';
import { isListed, leapsFrom, pawnPathsOf, rayFrom, stepsFrom, type Geometry } from './geometry.js';
import { EN_PASSANT, PLAIN, makeMove, plainMove } from './move.js';
import { EMPTY, KING, KNIGHT, PAWN, PROMOTIONS, isEnemy, kindLetter } from './pieces.js';
import { isSafe } from './play.js';
import { NO_SQUARE, type ChessPosition } from './position.js';

/** Finds one legal move without listing all. */

/** The legal move with this text, or null. */
export function findMove(position: ChessPosition, text: string): Move | null {
  const { board, cells, side } = position;
  const from = squareAt(board, text, 0);
  const to = squareAt(board, text, 2);
  if (from === NO_SQUARE || to === NO_SQUARE) return null;
  const kind = cells[from]! * side;
  if (kind === PAWN) return pawnMove(position, from, to, text);
  if (kind <= EMPTY || text.length !== 4) return null;
  const castling = kind === KING ? castlingWritten(position, from, to) : undefined;
  if (castling === undefined) return mayGo(position, from, to) ? plainMove(from, to) : null;
  return !position.check && mayCastle(position, castling) ? castling.move : null;
}

const FILE_A = 97;
const RANK_1 = 49;

/** The square named at this place of the text, or NO_SQUARE. */
function squareAt({ size, squares }: Geometry, text: string, at: number): number {
  const file = text.charCodeAt(at) - FILE_A;
  const square = (text.charCodeAt(at + 1) - RANK_1) * size.files + file;
  return file >= 0 && file < size.files && square >= 0 && square < squares ? square : NO_SQUARE;
}

/** True if a piece other than a pawn may legally move there, ignoring castling. */
export function mayGo(position: ChessPosition, from: number, to: number): boolean {
  const { cells, side } = position;
  if (cells[to] !== EMPTY && !isEnemy(cells[to]!, side)) return false;
  return isInReach(position, from, to) && isSafe(position, plainMove(from, to));
}

function isInReach({ board, cells }: ChessPosition, from: number, to: number): boolean {
  const kind = Math.abs(cells[from]!);
  if (kind === KNIGHT) return isListed(board.knight, leapsFrom(from), to);
  if (kind === KING) return isListed(board.king, leapsFrom(from), to);
  const direction = board.line[from * board.squares + to]!;
  if (direction < 0 || !slides(kind, direction)) return false;
  let at = rayFrom(from, direction);
  while (board.rays[at] !== to && cells[board.rays[at]!] === EMPTY) at++;
  return board.rays[at] === to;
}

function pawnMove(position: ChessPosition, from: number, to: number, text: string): Move | null {
  const { board, side } = position;
  const promotes = pawnPathsOf(board, side).promotes[from] !== 0;
  const promotion = promotes ? promotionOf(text.slice(4)) : text.length === 4 ? 0 : null;
  if (promotion === null || !mayStep(position, from, to)) return null;
  const passes = to === position.enPassant && isTake(position, from, to);
  const move = makeMove(from, to, promotion, passes ? EN_PASSANT : PLAIN);
  return isSafe(position, move) ? move : null;
}

const promotionOf = (letter: string): number | null =>
  PROMOTIONS.find((kind) => kindLetter(kind).toLowerCase() === letter) ?? null;

const isTake = ({ board, side }: ChessPosition, from: number, to: number): boolean =>
  isListed(pawnPathsOf(board, side).takes, stepsFrom(from), to);

function mayStep(position: ChessPosition, from: number, to: number): boolean {
  const { board, cells, side, enPassant } = position;
  const { forward, doubles } = pawnPathsOf(board, side);
  if (isTake(position, from, to)) {
    return cells[to] === EMPTY ? to === enPassant : isEnemy(cells[to]!, side);
  }
  if (cells[from + forward] !== EMPTY) return false;
  if (to === from + forward) return true;
  return doubles[from] !== 0 && to === from + 2 * forward && cells[to] === EMPTY;
}
