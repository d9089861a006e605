import { FACE_DOWN_LETTER } from '../board.js';
import type { Player } from '../ruleset.js';
import type { Rules } from './spec.js';

/** 0 is the side of the upper case letters. */
export type Side = 0 | 1;

/** The contents of a square: EMPTY, FACE_DOWN, or `FACE_UP + 2 * kind + side`. */
export type Piece = number;
export const EMPTY: Piece = 0;
export const FACE_DOWN: Piece = 1;
const FACE_UP = 2;

export const NO_SQUARE = -1;

/** The piece on every square, a1 first. V8 copies typed arrays of up to 64 bytes faster than plain ones. */
export type Cells = Uint8Array;

/** A position as everyone sees it, immutable. It does not hold the identity of face-down pieces. */
export interface Position {
  readonly rules: Rules;
  readonly board: Cells;
  readonly turn: Player;
  /** The first player's side, null before ply 1. */
  readonly firstSide: Side | null;
  /** The square of the piece that can capture again in this turn, or NO_SQUARE. */
  readonly chain: number;
  /** Plies since the last capture or turn-up. */
  readonly quiet: number;
  /** The number of the next ply. */
  readonly ply: number;
  /**
   * The letters that may still be face-down, in dealing order. If captured pieces are not known, there are more
   * letters than face-down squares.
   */
  readonly unseen: string;
}

export const isFaceUp = (piece: Piece): boolean => piece >= FACE_UP;
export const sideOf = (piece: Piece): Side => (piece & 1) as Side;
export const kindOf = (piece: Piece): number => (piece - FACE_UP) >> 1;
export const isOf = (piece: Piece, side: Side | null): boolean => isFaceUp(piece) && sideOf(piece) === side;

/** The letter of a piece, `x` if face-down, `''` for an empty square. */
export function letterOf(rules: Rules, piece: Piece): string {
  if (!isFaceUp(piece)) return piece === FACE_DOWN ? FACE_DOWN_LETTER : '';
  const letter = rules.kinds.charAt(kindOf(piece));
  return sideOf(piece) === 0 ? letter : letter.toLowerCase();
}

/** The reverse of `letterOf`, for the letters of the game. */
export function pieceOf(rules: Rules, letter: string): Piece {
  if (letter === '' || letter === FACE_DOWN_LETTER) return letter === '' ? EMPTY : FACE_DOWN;
  const kind = letter.toUpperCase();
  return FACE_UP + 2 * rules.kinds.indexOf(kind) + (letter === kind ? 0 : 1);
}

/** The position before ply 1. */
export function start(rules: Rules): Position {
  const board = new Uint8Array(rules.geometry.squares).fill(FACE_DOWN);
  return {
    rules,
    board,
    turn: 'first',
    firstSide: null,
    chain: NO_SQUARE,
    quiet: 0,
    ply: 1,
    unseen: rules.spec.dealing,
  };
}

/** The side of a player, null before ply 1. */
export function sideOfPlayer({ firstSide }: Position, player: Player): Side | null {
  if (firstSide === null) return null;
  return player === 'first' ? firstSide : ((1 - firstSide) as Side);
}

export const sideToMove = (position: Position): Side | null => sideOfPlayer(position, position.turn);

/** Same board, player to move and chain. */
export const same = (a: Position, b: Position): boolean =>
  a.turn === b.turn && a.chain === b.chain && a.board.every((piece, square) => piece === b.board[square]);

/** The letters still face-down by elimination, null where they are not known. */
export const knownUnseen = ({ board, unseen }: Position): string | null =>
  unseen.length === faceDownSquares(board) ? unseen : null;

export const faceDownSquares = (board: Cells): number =>
  board.reduce((count, piece) => count + (piece === FACE_DOWN ? 1 : 0), 0);

/** The side whose pieces are known to be all captured, or null. */
export function wipedOut({ board, unseen }: Position): Side | null {
  const alive = [false, false];
  for (const piece of board) {
    if (isFaceUp(piece)) alive[sideOf(piece)] = true;
    if (alive[0] && alive[1]) return null;
  }
  alive[0] ||= /[A-Z]/.test(unseen);
  alive[1] ||= /[a-z]/.test(unseen);
  return alive[0] && alive[1] ? null : alive[0] ? 1 : 0;
}
