import type { Move } from '../ruleset.js';
import { attacker, isNext, reaches } from './attack.js';
import { castlingsFrom, type Castling, type CastlingWay } from './castling-rules.js';
import { attackerOn, hasRight, openWay } from './castling.js';
import { leapsFrom, pathOf, pawnPathsOf, stepsFrom, type Geometry, type Paths } from './geometry.js';
import { EN_PASSANT, fromOf, makeMove, plainMove, specialOf, toOf } from './move.js';
import * as pieces from './pieces.js';
import type { Cells, Side } from './pieces.js';
import { kingOf, other, type ChessPosition } from './position.js';
import { isSafe } from './play.js';

// Constants of the module's own scope, for speed; see attack.ts.
const { PAWN, KNIGHT, QUEEN, PROMOTIONS, isEnemy } = pieces;

/**
 * Each generator writes its moves to `out` from index `count` on and answers the new count, so that counting builds
 * no array. `out` has room for the moves of any board, even one full of queens.
 */
const out = new Int32Array(2048);

/** 1 on the squares of the pieces that are pinned to their king. */
const pinned = new Int8Array(64);
let pins = 0;

/** 1 where another piece than the king answers the check: on the square of the checker and on those before it. */
const answers = new Int8Array(64);

/** All legal moves, those of the king first, then square by square from a1. */
export function legalMoves(position: ChessPosition): readonly Move[] {
  const king = kingOf(position, position.side);
  const moves = new Array<Move>(generate(position, king, lookAround(position, king)));
  for (let at = 0; at < moves.length; at++) moves[at] = out[at]!;
  return moves;
}

/** How many there are. Without check the squares are counted that each piece can go to, and no move is written. */
export function countLegalMoves(position: ChessPosition): number {
  const { board, cells, side } = position;
  const king = kingOf(position, side);
  const checks = lookAround(position, king);
  if (checks > 0) return generate(position, king, checks);
  const count = countPieces(position, king);
  const steps = kingMoves(board, cells, side, king, 0);
  return count + (position.rights === 0 ? steps : castlingMoves(position, king, steps, steps));
}

/** Is there any? */
export function hasLegalMove(position: ChessPosition): boolean {
  const { board, cells, side } = position;
  const king = kingOf(position, side);
  const checks = lookAround(position, king);
  if (checks > 0) return generate(position, king, checks) > 0;
  for (let from = 0; from < board.squares; from++) {
    const kind = cells[from]! * side;
    if (kind <= 0 || from === king) continue;
    if (pinned[from] === 0 ? pieceMoves(position, kind, from, 0) : pinnedMoves(position, king, kind, from, 0))
      return true;
  }
  return kingMoves(board, cells, side, king, 0) > 0 || castlingMoves(position, king, 0, 0) > 0;
}

/** Writes the legal moves of a position with so many pieces that give check, and answers how many there are. */
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

function countPieces(position: ChessPosition, king: number): number {
  const { board, cells, side } = position;
  const { starts, squares, skips } = board.paths;
  let count = 0;
  for (let from = 0; from < cells.length; from++) {
    const piece = cells[from]!;
    if (piece === 0 || isEnemy(piece, side) || from === king) continue;
    const kind = piece * side;
    if (pinned[from] !== 0) count += pinnedMoves(position, king, kind, from, 0);
    else if (kind === PAWN) count += countPawn(position, from);
    else {
      for (let at = starts[pathOf(kind, from)]!; ;) {
        const to = squares[at]!;
        if (to < 0) break;
        const met = cells[to]!;
        if (met === 0 || isEnemy(met, side)) count++;
        at = met === 0 ? at + 1 : skips[at]!;
      }
    }
  }
  return count;
}

function countPawn(position: ChessPosition, from: number): number {
  const { board, cells, side } = position;
  const { forward, doubles, takes, promotes } = pawnPathsOf(board, side);
  const ahead = from + forward;
  let count = 0;
  if (cells[ahead] === 0) count = doubles[from] !== 0 && cells[ahead + forward] === 0 ? 2 : 1;
  for (let at = stepsFrom(from); ; at++) {
    const to = takes[at]!;
    if (to < 0) break;
    const met = cells[to]!;
    if (met !== 0) count += isEnemy(met, side) ? 1 : 0;
    else if (to === position.enPassant) count = enPassantMove(position, from, to, count);
  }
  return promotes[from] === 0 ? count : count * PROMOTIONS.length;
}

function pieceMoves(position: ChessPosition, kind: number, from: number, count: number): number {
  return kind === PAWN ? pawnMoves(position, from, count) : pathMoves(position, kind, from, count);
}

/** Knights leap; bishops, rooks and queens run on until something stands in the way. They capture what is the enemy's. */
function pathMoves({ board, cells, side }: ChessPosition, kind: number, from: number, start: number): number {
  const { starts, squares, skips } = board.paths;
  let count = start;
  for (let at = starts[pathOf(kind, from)]!; ;) {
    const to = squares[at]!;
    if (to < 0) return count;
    const met = cells[to]!;
    if (met === 0 || isEnemy(met, side)) out[count++] = plainMove(from, to);
    at = met === 0 ? at + 1 : skips[at]!;
  }
}

/** The king steps where nothing attacks it. */
function kingMoves(board: Geometry, cells: Cells, side: Side, from: number, count: number): number {
  const { king } = board;
  for (let at = leapsFrom(from); ; at++) {
    const to = king[at]!;
    if (to < 0) return count;
    const met = cells[to]!;
    if (met !== 0 && !isEnemy(met, side)) continue;
    if (attacker(board, cells, to, other(side), from) < 0) out[count++] = plainMove(from, to);
  }
}

/** The king may pass where it may step: its own moves are the first `steps` of `out`. */
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

/** It lifts two pieces at once, so neither pin nor check tells whether it is legal. */
function enPassantMove(position: ChessPosition, from: number, to: number, count: number): number {
  const move = makeMove(from, to, 0, EN_PASSANT);
  if (isSafe(position, move)) out[count++] = move;
  return count;
}

/**
 * Looks from the king along the eight lines and the leaps of knights: how many pieces give check? Marks the squares
 * that answer the check, and the pieces that alone stand between the king and an enemy that runs along their line.
 */
function lookAround({ board, cells, side }: ChessPosition, king: number): number {
  const { starts, squares, skips, seen } = board.paths;
  let checks = knightChecks(board, cells, side, king);
  unpin();
  for (let at = starts[pathOf(QUEEN, king)]!; ;) {
    const square = squares[at]!;
    if (square < 0) return checks;
    const piece = cells[square]!;
    if (piece === 0) {
      at++;
      continue;
    }
    if (!isEnemy(piece, side)) lookBehind(board.paths, cells, side, at);
    else if (reaches(piece, seen[at]!) && checks++ === 0) markLine(board.paths, at);
    at = skips[at]!;
  }
}

/** Pins the piece at this place of a line if the next one behind it runs along the line towards it. */
function lookBehind({ squares, skips, seen }: Paths, cells: Cells, side: Side, shield: number): void {
  const end = skips[shield]!;
  for (let at = shield + 1; at < end; at++) {
    const piece = cells[squares[at]!]!;
    if (piece === 0) continue;
    if (isEnemy(piece, side) && reaches(piece, seen[at]!)) pin(squares[shield]!);
    return;
  }
}

function pin(square: number): void {
  pins++;
  pinned[square] = 1;
}

function unpin(): void {
  if (pins > 0) pinned.fill(0);
  pins = 0;
}

function knightChecks({ knight }: Geometry, cells: Cells, side: Side, king: number): number {
  let checks = 0;
  for (let at = leapsFrom(king); knight[at]! >= 0; at++) {
    if (cells[knight[at]!] === -side * KNIGHT && checks++ === 0) markSquare(knight[at]!);
  }
  return checks;
}

function markSquare(checker: number): void {
  answers.fill(0);
  answers[checker] = 1;
}

/** Marks the square of the checker at this place of a line, and those from there to the king. */
function markLine({ squares, seen }: Paths, checker: number): void {
  markSquare(squares[checker]!);
  for (let at = checker; !isNext(seen[at]!); at--) answers[squares[at - 1]!] = 1;
}

/** Of the moves in check those that take the checker or step in its way. */
function keepAnswers(start: number, end: number): number {
  let count = start;
  for (let at = start; at < end; at++) {
    const move = out[at]!;
    if (answers[toOf(move)] !== 0 || specialOf(move) === EN_PASSANT) out[count++] = move;
  }
  return count;
}

/** A pinned piece moves along the line of its king. */
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
