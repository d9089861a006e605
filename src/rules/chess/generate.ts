import type { Move } from '../ruleset.js';
import { attacker, isLeaptAt, slides } from './attack.js';
import { castlingsOf, mayCastle } from './castling.js';
import { leapsFrom, pawnPathsOf, rayFrom, stepsFrom, type Geometry } from './geometry.js';
import { CASTLING, EN_PASSANT, fromOf, makeMove, plainMove, toOf } from './move.js';
import * as pieces from './pieces.js';
import type { Side } from './pieces.js';
import { kingOf, other, type ChessPosition } from './position.js';
import { isSafe } from './play.js';

// Constants of the module's own scope, for speed; see attack.ts.
const { PAWN, KNIGHT, BISHOP, ROOK, KING, PROMOTIONS } = pieces;

/**
 * Each generator writes its moves to `out` from index `count` on and answers the new count, so that counting builds
 * no array. `out` has room for the moves of any board, even one full of queens.
 */
const out = new Int32Array(2048);

/** 1 on the squares of the pieces that are pinned to their king. */
const pinned = new Int8Array(64);

/** All legal moves, square by square from a1. */
export function legalMoves(position: ChessPosition): readonly Move[] {
  const moves = new Array<Move>(countLegalMoves(position));
  for (let at = 0; at < moves.length; at++) moves[at] = out[at]!;
  return moves;
}

/**
 * How many there are. A piece may go where it likes unless its king is in check (then each move is tried) or it is
 * pinned (then it stays on its line).
 */
export function countLegalMoves(position: ChessPosition): number {
  const { board, cells, side } = position;
  const king = kingOf(position, side);
  const checked = isLeaptAt(board, cells, side, king) || lookAround(board, cells, side, king);
  let count = 0;
  for (let from = 0; from < cells.length; from++) {
    const kind = cells[from]! * side;
    if (kind <= 0) continue;
    const start = count;
    if (kind === PAWN) count = pawnMoves(position, from, count);
    else if (kind === KNIGHT) count = knightMoves(board, cells, side, from, count);
    else if (kind === KING) count = kingMoves(board, cells, side, from, count);
    else count = lineMoves(board, cells, side, kind, from, count);
    if (kind === KING) continue;
    if (checked) count = keepSafe(position, start, count);
    else if (pinned[from] !== 0) count = keepOnLine(board, king, from, start, count);
  }
  return checked || position.rights === 0 ? count : castlingMoves(position, count);
}

function knightMoves(
  { knight }: Geometry,
  cells: Int8Array,
  side: Side,
  from: number,
  count: number,
): number {
  for (let at = leapsFrom(from); ; at++) {
    const to = knight[at]!;
    if (to < 0) return count;
    if (cells[to]! * side <= 0) out[count++] = plainMove(from, to);
  }
}

/** Bishops, rooks and queens run on until something stands in the way, and capture it if it is the enemy's. */
function lineMoves(
  board: Geometry,
  cells: Int8Array,
  side: Side,
  kind: number,
  from: number,
  count: number,
): number {
  const { rays } = board;
  const last = kind === ROOK ? 4 : 8;
  for (let direction = kind === BISHOP ? 4 : 0; direction < last; direction++) {
    for (let at = rayFrom(board, from, direction); ; at++) {
      const to = rays[at]!;
      if (to < 0) break;
      const met = cells[to]! * side;
      if (met <= 0) out[count++] = plainMove(from, to);
      if (met !== 0) break;
    }
  }
  return count;
}

/** The king steps where nothing attacks it. */
function kingMoves(board: Geometry, cells: Int8Array, side: Side, from: number, count: number): number {
  const { king } = board;
  for (let at = leapsFrom(from); ; at++) {
    const to = king[at]!;
    if (to < 0) return count;
    if (cells[to]! * side > 0) continue;
    if (attacker(board, cells, to, other(side), from) < 0) out[count++] = plainMove(from, to);
  }
}

function castlingMoves(position: ChessPosition, count: number): number {
  for (const castling of castlingsOf(position.side)) {
    if (mayCastle(position, castling)) {
      out[count++] = makeMove(castling.king, castling.kingTo, 0, CASTLING);
    }
  }
  return count;
}

function pawnMoves(position: ChessPosition, from: number, start: number): number {
  const { board, cells, side } = position;
  const { steps, takes, promotes } = pawnPathsOf(board, side);
  let count = start;
  for (let at = stepsFrom(from); ; at++) {
    const to = steps[at]!;
    if (to < 0 || cells[to] !== 0) break;
    out[count++] = plainMove(from, to);
  }
  for (let at = stepsFrom(from); ; at++) {
    const to = takes[at]!;
    if (to < 0) break;
    if (cells[to]! * side < 0) out[count++] = plainMove(from, to);
    else if (to === position.enPassant) count = enPassantMove(position, from, to, count);
  }
  return promotes[from] === 0 ? count : promotions(start, count);
}

/** Makes four of each move of a pawn to the last rank, from the last one on. */
function promotions(start: number, end: number): number {
  for (let at = end - 1; at >= start; at--) {
    const from = fromOf(out[at]!);
    const to = toOf(out[at]!);
    PROMOTIONS.forEach(
      (kind, index) => (out[start + (at - start) * PROMOTIONS.length + index] = makeMove(from, to, kind)),
    );
  }
  return start + (end - start) * PROMOTIONS.length;
}

/** It lifts two pieces at once, so no pin tells whether it is legal. */
function enPassantMove(position: ChessPosition, from: number, to: number, count: number): number {
  const move = makeMove(from, to, 0, EN_PASSANT);
  if (isSafe(position, move)) out[count++] = move;
  return count;
}

/**
 * Looks from the king along the eight lines: is it in check along one? Marks the pieces that alone stand between the
 * king and an enemy that runs along their line.
 */
function lookAround(board: Geometry, cells: Int8Array, side: Side, king: number): boolean {
  const { rays } = board;
  let checked = false;
  pinned.fill(0);
  for (let direction = 0; direction < 8; direction++) {
    let shield = -1;
    for (let at = rayFrom(board, king, direction); ; at++) {
      const square = rays[at]!;
      if (square < 0) break;
      const met = cells[square]! * side;
      if (met === 0) continue;
      if (met > 0 && shield < 0) {
        shield = square;
        continue;
      }
      if (slides(-met, direction)) {
        if (shield < 0) checked = true;
        else pinned[shield] = 1;
      }
      break;
    }
  }
  return checked;
}

function keepSafe(position: ChessPosition, start: number, end: number): number {
  let count = start;
  for (let at = start; at < end; at++) if (isSafe(position, out[at]!)) out[count++] = out[at]!;
  return count;
}

/** A pinned piece may move along the line of its king. */
function keepOnLine(board: Geometry, king: number, from: number, start: number, end: number): number {
  const { line, squares } = board;
  const own = line[king * squares + from];
  let count = start;
  for (let at = start; at < end; at++) {
    if (line[king * squares + toOf(out[at]!)] === own) out[count++] = out[at]!;
  }
  return count;
}
