import type { Move } from '../ruleset.js';
import type { Rules } from './spec.js';
import { EMPTY, FACE_DOWN, isFaceUp, isOf, kindOf, sideOf, sideToMove, wipedOut } from './position.js';
import type { Piece, Position } from './position.js';

function nextOccupied(board: Uint8Array, line: readonly number[], from: number): number {
  let i = from;
  while (i < line.length && board[line[i]!] === EMPTY) i++;
  return i;
}

/** The occupied squares that the face-up piece on `from` comes to by a capture, whoever stands there. */
export function reach(rules: Rules, board: Uint8Array, from: number): number[] {
  const kind = kindOf(board[from]!);
  const found: number[] = [];
  for (const line of rules.geometry.rays[from]!) {
    const first = nextOccupied(board, line, 0);
    if (first < line.length && (rules.slides[kind] || (first === 0 && rules.takes[kind] !== 0))) {
      found.push(line[first]!);
    }
    if (!rules.jumps[kind]) continue;
    const second = nextOccupied(board, line, first + 1);
    if (second < line.length) found.push(line[second]!);
  }
  return found;
}

/** Does the piece on `from` capture this piece, face-up on a square `to` that it reaches? From afar it takes any. */
export function captures(rules: Rules, board: Uint8Array, from: number, to: number, victim: Piece): boolean {
  const piece = board[from]!;
  if (!isFaceUp(victim) || sideOf(victim) === sideOf(piece)) return false;
  const kind = kindOf(piece);
  const near = rules.geometry.neighbours[from]!.includes(to);
  return !near || rules.slides[kind] === true || (rules.takes[kind]! & (1 << kindOf(victim))) !== 0;
}

/** The squares where the face-up piece on `from` can capture or, with darkCaptures, try to. */
export function targets(rules: Rules, board: Uint8Array, from: number): number[] {
  return reach(rules, board, from).filter((to) => {
    const victim = board[to]!;
    return victim === FACE_DOWN ? rules.darkCaptures : captures(rules, board, from, to, victim);
  });
}

function chainMoves({ rules, board, chain }: Position): Move[] {
  const { squares, pass } = rules.geometry;
  return [...targets(rules, board, chain).map((to) => chain * squares + to), pass];
}

/** All legal moves; none once a side has lost all its pieces. */
export function legalMoves(position: Position): readonly Move[] {
  const { rules, board } = position;
  const { squares, neighbours } = rules.geometry;
  if (wipedOut(position) !== null) return [];
  if (position.chain >= 0) return chainMoves(position);
  const side = sideToMove(position);
  const moves: Move[] = [];
  for (let from = 0; from < squares; from++) {
    const piece = board[from]!;
    if (piece === FACE_DOWN) moves.push(from * squares + from);
    if (!isOf(piece, side)) continue;
    for (const to of neighbours[from]!) if (board[to] === EMPTY) moves.push(from * squares + to);
    for (const to of targets(rules, board, from)) moves.push(from * squares + to);
  }
  return moves;
}
