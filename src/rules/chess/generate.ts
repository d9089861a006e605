import type { Move } from '../ruleset.js';
import * as around from './checks-and-pins.js';
import { findChecksAndPins } from './checks-and-pins.js';
import { attacker } from './attack.js';
import { castlingsFrom, type Castling, type CastlingWay } from './castling-rules.js';
import { attackerOn, hasRight, openWay } from './castling.js';
import { countMoves, countMovesTo } from './count.js';
import { leapsFrom, pawnPathsOf, stepsFrom, type Geometry } from './geometry.js';
import { EN_PASSANT, fromOf, makeMove, plainMove, specialOf, toOf } from './move.js';
import * as pieces from './pieces.js';
import type { Cells, Side } from './pieces.js';
import * as places from './places.js';
import { placeOf, pathIndex } from './places.js';
import { NO_SQUARE, kingOf, other, type ChessPosition } from './position.js';
import { isSafe } from './play.js';

// Constants of the module's own scope, for speed; see attack.ts.
const { PAWN, PROMOTIONS, isEnemy } = pieces;
const { KING_LEAPS, SKIPS, SQUARES, STARTS } = places;
const { answers, pinned } = around;

/**
 * Generators write moves to `out` from index `count` on and return the new count, so that counting builds no array.
 * `out` is large enough for a board full of queens.
 */
const out = new Int32Array(2048);

/** All legal moves, those of the king first, then square by square from a1. */
export function legalMoves(position: ChessPosition): readonly Move[] {
  const king = kingOf(position, position.side);
  const moves = new Array<Move>(generate(position, king, findChecksAndPins(position, king)));
  for (let at = 0; at < moves.length; at++) moves[at] = out[at]!;
  return moves;
}

/** The number of legal moves. Only those of kings and pinned pieces are generated to be counted. */
export function countLegalMoves(position: ChessPosition): number {
  const { board, cells, side, rights } = position;
  const king = kingOf(position, side);
  const checks = findChecksAndPins(position, king);
  if (checks > 1) return kingMoves(board, cells, side, king, 0);
  const count = checks > 0 ? countAnswers(position, king) : countPieces(position, king);
  // The king last: castling reads its moves from `out`, which the pinned pieces use too.
  const steps = kingMoves(board, cells, side, king, 0);
  return count + (checks > 0 || rights === 0 ? steps : castlingMoves(position, king, steps, steps));
}

export function hasLegalMove(position: ChessPosition): boolean {
  const { board, cells, side } = position;
  const king = kingOf(position, side);
  const checks = findChecksAndPins(position, king);
  if (checks > 0) return generate(position, king, checks) > 0;
  for (let from = 0; from < board.squares; from++) {
    const kind = cells[from]! * side;
    if (kind <= 0 || from === king) continue;
    if (pinned[from] === 0 ? pieceMoves(position, kind, from, 0) : pinnedMoves(position, king, kind, from, 0))
      return true;
  }
  return kingMoves(board, cells, side, king, 0) > 0 || castlingMoves(position, king, 0, 0) > 0;
}

/** Generates the legal moves of a position with this many checks; returns their number. */
function generate(position: ChessPosition, king: number, checks: number): number {
  const { board, cells, side } = position;
  let count = kingMoves(board, cells, side, king, 0);
  if (checks === 0 && position.rights !== 0) count = castlingMoves(position, king, count, count);
  for (let from = 0; from < board.squares && checks < 2; from++) {
    const piece = cells[from]!;
    if (piece === 0 || isEnemy(piece, side) || from === king) continue;
    const kind = piece * side;
    if (pinned[from] === 0) {
      const start = count;
      count = pieceMoves(position, kind, from, start);
      if (checks > 0) count = keepAnswers(start, count);
    } else if (checks === 0) {
      count = pinnedMoves(position, king, kind, from, count);
    }
  }
  return count;
}

/** The number of moves of pieces other than the king, without check. */
function countPieces(position: ChessPosition, king: number): number {
  const { board, cells, side } = position;
  let count = 0;
  for (let from = 0; from < cells.length; from++) {
    // The bitwise operation keeps the product an integer, which would be -0 on an empty square.
    const kind = (cells[from]! * side) | 0;
    if (kind <= 0 || from === king) continue;
    if (pinned[from] !== 0) count += pinnedMoves(position, king, kind, from, 0);
    else count += countMoves(board, cells, side, kind, from);
  }
  return position.enPassant === NO_SQUARE ? count : count + countPassing(position);
}

/** The same in check by one piece. */
function countAnswers(position: ChessPosition, king: number): number {
  const { board, cells, side } = position;
  let count = 0;
  for (let from = 0; from < cells.length; from++) {
    const kind = (cells[from]! * side) | 0;
    if (kind <= 0 || from === king || pinned[from] !== 0) continue;
    count += countMovesTo(answers, board, cells, side, kind, from);
  }
  return position.enPassant === NO_SQUARE ? count : count + countPassing(position);
}

/** The en passant captures of pawns that are not pinned. */
function countPassing(position: ChessPosition): number {
  const { board, cells, side, enPassant } = position;
  const { takes } = pawnPathsOf(board, other(side));
  let count = 0;
  for (let at = stepsFrom(enPassant); takes[at]! >= 0; at++) {
    const from = takes[at]!;
    if (cells[from] === side * PAWN && pinned[from] === 0)
      count = enPassantMove(position, from, enPassant, count);
  }
  return count;
}

function pieceMoves(position: ChessPosition, kind: number, from: number, count: number): number {
  return kind === PAWN ? pawnMoves(position, from, count) : pathMoves(position, kind, from, count);
}

/** Knights leap; bishops, rooks and queens slide until blocked. */
function pathMoves({ board, cells, side }: ChessPosition, kind: number, from: number, start: number): number {
  let count = start;
  for (let at = STARTS[pathIndex(kind, placeOf(board, from))]!; ;) {
    const to = SQUARES[at]!;
    if (to < 0) return count;
    const met = cells[to]!;
    if (met === 0 || isEnemy(met, side)) out[count++] = plainMove(from, to);
    at = met === 0 ? at + 1 : SKIPS[at]!;
  }
}

/** Steps of the king to squares that are not attacked. */
function kingMoves(board: Geometry, cells: Cells, side: Side, from: number, count: number): number {
  for (let at = leapsFrom(placeOf(board, from)); ; at++) {
    const to = KING_LEAPS[at]!;
    if (to < 0) return count;
    const met = cells[to]!;
    if (met !== 0 && !isEnemy(met, side)) continue;
    if (attacker(board, cells, to, other(side), from) < 0) out[count++] = plainMove(from, to);
  }
}

/** A square to which the king may step is safe to pass over; its steps are the first `steps` of `out`. */
function castlingMoves(position: ChessPosition, king: number, steps: number, start: number): number {
  let count = start;
  for (const castling of castlingsFrom(position.board, position.side, king)) {
    if (!hasRight(position, castling)) continue;
    const way = openWay(position, castling);
    if (way === undefined || !passes(position, castling, way, steps)) continue;
    if (attackerOn(position, castling, way, way.kingTo) < 0) out[count++] = castling.move;
  }
  return count;
}

function passes(position: ChessPosition, castling: Castling, way: CastlingWay, steps: number): boolean {
  for (const square of way.passed) {
    let at = 0;
    while (at < steps && toOf(out[at]!) !== square) at++;
    if (at === steps && attackerOn(position, castling, way, square) >= 0) return false;
  }
  return true;
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
    const met = cells[to]!;
    if (met !== 0) {
      if (isEnemy(met, side)) out[count++] = plainMove(from, to);
    } else if (to === position.enPassant) count = enPassantMove(position, from, to, count);
  }
  return promotes[from] === 0 ? count : promotions(start, count);
}

/** Replaces each pawn move to the last rank by four promotions, from the last one on. */
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

/** It removes two pieces at once, so pins and checks do not decide whether it is legal. */
function enPassantMove(position: ChessPosition, from: number, to: number, count: number): number {
  const move = makeMove(from, to, 0, EN_PASSANT);
  if (isSafe(position, move)) out[count++] = move;
  return count;
}

/** Keeps the moves that capture the checker or block it. */
function keepAnswers(start: number, end: number): number {
  let count = start;
  for (let at = start; at < end; at++) {
    const move = out[at]!;
    if (answers[toOf(move)] !== 0 || specialOf(move) === EN_PASSANT) out[count++] = move;
  }
  return count;
}

/** A pinned piece may move only along the line to its king. */
function pinnedMoves(
  position: ChessPosition,
  king: number,
  kind: number,
  from: number,
  start: number,
): number {
  const { line, squares } = position.board;
  const own = line[king * squares + from];
  const end = pieceMoves(position, kind, from, start);
  let count = start;
  for (let at = start; at < end; at++) {
    if (line[king * squares + toOf(out[at]!)] === own) out[count++] = out[at]!;
  }
  return count;
}
