import { opponent, type Move } from '../ruleset.js';
import { captures, hasTarget } from './generate.js';
import { EMPTY, FACE_DOWN, NO_SQUARE, letterOf, pieceOf, sideOf } from './position.js';
import type { Cells, Piece, Position } from './position.js';

interface Squares {
  readonly from: number;
  readonly to: number;
}

/** The squares of a move, null for `pass`; both are the same for a turn-up. */
export function squaresOf({ rules }: Position, move: Move): Squares | null {
  const { squares, pass } = rules.geometry;
  return move === pass ? null : { from: Math.floor(move / squares), to: move % squares };
}

/** The name of the square whose piece the move turns up, or null. */
export function turnsUp(position: Position, move: Move): string | null {
  const to = squaresOf(position, move)?.to ?? -1;
  return position.board[to] === FACE_DOWN ? position.rules.geometry.names[to]! : null;
}

function taken({ rules, board }: Position, { from, to }: Squares, revealed: Piece): Piece {
  if (from === to) return EMPTY;
  const victim = board[to] === FACE_DOWN ? revealed : board[to]!;
  return captures(rules, board, from, to, victim) ? victim : EMPTY;
}

/** The letter of the captured piece, or null. */
export function captured(position: Position, move: Move, reveal: string | null): string | null {
  const squares = squaresOf(position, move);
  if (squares === null) return null;
  return letterOf(position.rules, taken(position, squares, pieceOf(position.rules, reveal ?? ''))) || null;
}

function rearranged(board: Cells, { from, to }: Squares, revealed: Piece, victim: Piece): Cells {
  const next = board.slice();
  if (board[to] === FACE_DOWN && victim === EMPTY) next[to] = revealed;
  else {
    next[to] = board[from]!;
    next[from] = EMPTY;
  }
  return next;
}

/** The position after a legal move, `reveal` being the letter that it turns up. */
export function play(position: Position, move: Move, reveal: string | null): Position {
  const squares = squaresOf(position, move);
  return squares === null ? passed(position) : moved(position, squares, reveal);
}

const passed = (position: Position): Position => ({
  ...position,
  turn: opponent(position.turn),
  chain: NO_SQUARE,
  ply: position.ply + 1,
});

function moved(position: Position, squares: Squares, reveal: string | null): Position {
  const { rules, turn, unseen, firstSide } = position;
  const revealed = reveal === null ? FACE_DOWN : pieceOf(rules, reveal);
  const victim = taken(position, squares, revealed);
  const board = rearranged(position.board, squares, revealed, victim);
  const left = reveal === null ? unseen : unseen.replace(reveal, '');
  const goesOn = victim !== EMPTY && rules.multipleCaptures && hasTarget(rules, board, squares.to);
  return {
    rules,
    board,
    turn: goesOn ? turn : opponent(turn),
    firstSide: firstSide ?? sideOf(revealed),
    chain: goesOn ? squares.to : NO_SQUARE,
    quiet: position.board[squares.to] === EMPTY ? position.quiet + 1 : 0,
    ply: position.ply + 1,
    // Once nothing is face-down, everything not face-up has been captured.
    unseen: left === '' || board.includes(FACE_DOWN) ? left : '',
  };
}
