import type { History, Move } from '../ruleset.js';
import { attacker, attacksAlong, givesCheck } from './attack.js';
import { rightsAfter, rightsWithout } from './castling-rules.js';
import { castlingBy, openWay } from './castling.js';
import { pawnPathsOf, stepsFrom } from './geometry.js';
import { CASTLING, EN_PASSANT, PLAIN, fromOf, makeMove, promotionOf, specialOf, toOf } from './move.js';
import * as pieces from './pieces.js';
import type { Cells } from './pieces.js';
import { NO_SQUARE, kingOf, makePosition, other, type ChessPosition } from './position.js';

// Constants of the module's own scope, for speed; see attack.ts.
const { BLACK, EMPTY, KING, PAWN, ROOK, WHITE } = pieces;

/** The square of the captured piece, or NO_SQUARE. */
export function capturedOn({ board, cells, side }: ChessPosition, move: Move): number {
  const to = toOf(move);
  if (specialOf(move) === EN_PASSANT) return to - pawnPathsOf(board, side).forward;
  return cells[to]! * side < 0 ? to : NO_SQUARE;
}

/** A position not yet shared, which may still be changed. */
type Draft = { -readonly [Field in keyof ChessPosition]: ChessPosition[Field] };

const draftOf = (position: ChessPosition): Draft =>
  makePosition(position, new Int8Array(position.cells), position.enPassant);

/** The position after a move of this position. */
export function play(position: ChessPosition, move: Move): ChessPosition {
  const draft = draftOf(position);
  makeOn(draft, move);
  return draft;
}

/**
 * The history after moves given as text, or null if one is illegal. One board is reused up to the last irreversible
 * ply.
 */
export function playTexts(
  start: ChessPosition,
  texts: readonly string[],
  find: (position: ChessPosition, text: string) => Move | null,
): History<ChessPosition> | null {
  const draft = draftOf(start);
  let from = start;
  let moves: Move[] = [];
  for (const text of texts) {
    const move = find(draft, text);
    if (move === null) return null;
    makeOn(draft, move);
    if (draft.quiet > 0) moves.push(move);
    else [from, moves] = [draftOf(draft), []];
  }
  const positions = [from];
  for (const move of moves) positions.push(play(positions.at(-1)!, move));
  return { positions, moves };
}

/** Makes a move on the draft. */
function makeOn(draft: Draft, move: Move): void {
  const { board, cells, side } = draft;
  const special = specialOf(move);
  if (special === CASTLING) castleOn(draft, move);
  else {
    const from = fromOf(move);
    const to = toOf(move);
    const kind = cells[from]! * side;
    const isQuiet = cells[to] === EMPTY && kind !== PAWN;
    if (special === EN_PASSANT) cells[capturedOn(draft, move)] = EMPTY;
    cells[to] = promotionOf(move) === 0 ? cells[from]! : promotionOf(move) * side;
    cells[from] = EMPTY;
    if (draft.rights !== 0) draft.rights = rightsAfter(board, draft.rights, from, to);
    if (kind === KING) placeKing(draft, to);
    draft.quiet = isQuiet ? draft.quiet + 1 : 0;
  }
  passTurn(draft, move);
}

function castleOn(draft: Draft, move: Move): void {
  const { cells, side } = draft;
  const castling = castlingBy(draft, move);
  const { kingTo, rookTo } = openWay(draft, castling)!;
  cells[castling.king] = EMPTY;
  cells[castling.rook] = EMPTY;
  cells[kingTo] = side * KING;
  cells[rookTo] = side * ROOK;
  placeKing(draft, kingTo);
  draft.quiet++;
}

/** Moves the king, which ends its castling rights. */
function placeKing(draft: Draft, square: number): void {
  if (draft.side === WHITE) draft.whiteKing = square;
  else draft.blackKing = square;
  draft.rights = rightsWithout(draft.rights, draft.side);
}

/** Updates everything but the board after a move. */
function passTurn(draft: Draft, move: Move): void {
  const { board, cells, side } = draft;
  const from = fromOf(move);
  const to = toOf(move);
  const king = kingOf(draft, other(side));
  // Castling and en passant change more than two squares, so a check may come through any of them.
  draft.check =
    specialOf(move) === PLAIN
      ? givesCheck(board, cells, king, side, from, to)
      : attacker(board, cells, king, side) !== NO_SQUARE;
  if (side === BLACK) draft.number++;
  draft.side = other(side);
  draft.enPassant = NO_SQUARE;
  const isDoubleStep = cells[to] === side * PAWN && Math.abs(to - from) === 2 * board.size.files;
  if (isDoubleStep && mayTakeOn(draft, (from + to) / 2)) draft.enPassant = (from + to) / 2;
}

/** The position with the en passant square, if a pawn may legally capture there. */
export const withEnPassant = (position: ChessPosition, passed: number): ChessPosition =>
  mayTakeOn(position, passed) ? makePosition(position, position.cells, passed) : position;

function mayTakeOn(position: ChessPosition, passed: number): boolean {
  const { board, cells, side } = position;
  const { takes } = pawnPathsOf(board, other(side));
  for (let at = stepsFrom(passed); takes[at]! >= 0; at++) {
    const from = takes[at]!;
    if (cells[from] === side * PAWN && isSafe(position, makeMove(from, passed, 0, EN_PASSANT))) return true;
  }
  return false;
}

/** The square from which the mover's own king would be attacked after a move, or NO_SQUARE. */
export function attackerAfter(position: ChessPosition, move: Move): number {
  const { board, cells, side } = position;
  const [from, to] = [fromOf(move), toOf(move)];
  const king = cells[from] === side * KING ? to : kingOf(position, side);
  if (specialOf(move) === EN_PASSANT)
    return attacker(board, takenInPassing(position, move), king, other(side));
  return attacker(board, cells, king, other(side), from, to);
}

/** The board after an en passant capture. */
function takenInPassing(position: ChessPosition, move: Move): Cells {
  const cells = new Int8Array(position.cells);
  cells[capturedOn(position, move)] = EMPTY;
  cells[toOf(move)] = cells[fromOf(move)]!;
  cells[fromOf(move)] = EMPTY;
  return cells;
}

/** True if the move does not leave the own king in check. */
export function isSafe(position: ChessPosition, move: Move): boolean {
  const { board, cells, side, check } = position;
  const king = kingOf(position, side);
  const from = fromOf(move);
  if (check || from === king || specialOf(move) === EN_PASSANT)
    return attackerAfter(position, move) === NO_SQUARE;
  // Without check, only a piece that leaves a line of its king can expose it.
  const direction = board.line[king * board.squares + from]!;
  if (direction < 0 || direction === board.line[king * board.squares + toOf(move)]) return true;
  return !attacksAlong(board, cells, king, other(side), direction, from);
}
