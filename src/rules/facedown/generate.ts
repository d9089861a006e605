import type { Move } from '../ruleset.js';
import {
  EMPTY,
  FACE_DOWN,
  NO_SQUARE,
  isFaceUp,
  kindOf,
  sideOf,
  sideToMove,
  wipedOut,
  type Cells,
  type Piece,
  type Position,
} from './position.js';
import type { Rules } from './spec.js';

// Generators write to a shared list and return the number of valid entries.
const moves = new Int32Array(512);
const reached = new Int8Array(8);

/** All legal moves; none once a side has lost all its pieces. */
export function legalMoves(position: Position): readonly Move[] {
  const list = new Array<Move>(countLegalMoves(position));
  for (let at = 0; at < list.length; at++) list[at] = moves[at]!;
  return list;
}

/** How many there are. */
export function countLegalMoves(position: Position): number {
  if (wipedOut(position) !== null) return 0;
  return position.chain === NO_SQUARE ? turnMoves(position) : chainMoves(position);
}

function turnMoves(position: Position): number {
  const { rules, board } = position;
  const { squares } = rules.geometry;
  const side = sideToMove(position);
  let count = 0;
  for (let from = 0; from < squares; from++) {
    const piece = board[from]!;
    if (piece === FACE_DOWN) moves[count++] = from * squares + from;
    else if (piece !== EMPTY && sideOf(piece) === side) {
      count = stepMoves(rules, board, from, count);
      count = captureMoves(rules, board, from, count);
    }
  }
  return count;
}

/** After a capture in a turn of several: further captures of that piece, or a pass. */
function chainMoves({ rules, board, chain }: Position): number {
  const count = captureMoves(rules, board, chain, 0);
  moves[count] = rules.geometry.pass;
  return count + 1;
}

function stepMoves({ geometry }: Rules, board: Cells, from: number, start: number): number {
  let count = start;
  for (const to of geometry.neighbours[from]!) {
    if (board[to] === EMPTY) moves[count++] = from * geometry.squares + to;
  }
  return count;
}

function captureMoves(rules: Rules, board: Cells, from: number, start: number): number {
  let count = start;
  for (let at = reach(rules, board, from) - 1; at >= 0; at--) {
    const to = reached[at]!;
    if (isTarget(rules, board, from, to)) moves[count++] = from * rules.geometry.squares + to;
  }
  return count;
}

/** True if the piece can capture on a reached square or, with darkCaptures, try to. */
function isTarget(rules: Rules, board: Cells, from: number, to: number): boolean {
  const victim = board[to]!;
  return victim === FACE_DOWN ? rules.darkCaptures : captures(rules, board, from, to, victim);
}

/**
 * Writes to `reached` the occupied squares that the piece on `from` attacks, whatever is on them, and returns their
 * number: the next piece of a line if adjacent or if the piece slides, and the one behind it if the piece jumps.
 */
function reach(rules: Rules, board: Cells, from: number): number {
  const kind = kindOf(board[from]!);
  const steps = rules.takes[kind] !== 0;
  const slides = rules.slides[kind]!;
  const jumps = rules.jumps[kind]!;
  let count = 0;
  for (const line of rules.geometry.rays[from]!) {
    const first = nextOccupied(board, line, 0);
    if (first < line.length && (slides || (steps && first === 0))) reached[count++] = line[first]!;
    if (!jumps) continue;
    const second = nextOccupied(board, line, first + 1);
    if (second < line.length) reached[count++] = line[second]!;
  }
  return count;
}

function nextOccupied(board: Cells, line: readonly number[], from: number): number {
  let at = from;
  while (at < line.length && board[line[at]!] === EMPTY) at++;
  return at;
}

/** True if the piece on `from` attacks the occupied square `to`, whatever is on it. */
export const reaches = (rules: Rules, board: Cells, from: number, to: number): boolean =>
  reached.subarray(0, reach(rules, board, from)).includes(to);

/**
 * True if the piece on `from` captures this face-up piece on a square `to` that it attacks. From a distance it
 * captures any kind.
 */
export function captures(rules: Rules, board: Cells, from: number, to: number, victim: Piece): boolean {
  const piece = board[from]!;
  if (!isFaceUp(victim) || sideOf(victim) === sideOf(piece)) return false;
  const kind = kindOf(piece);
  const near = rules.geometry.neighbours[from]!.includes(to);
  return !near || rules.slides[kind] === true || (rules.takes[kind]! & (1 << kindOf(victim))) !== 0;
}

/** True if the piece on `from` has anything to capture or, with darkCaptures, to try. */
export const hasTarget = (rules: Rules, board: Cells, from: number): boolean =>
  captureMoves(rules, board, from, 0) > 0;
