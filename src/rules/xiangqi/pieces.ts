import type { PieceSpec } from '../ruleset.js';

/** Pieces as numbers: the kind, positive for Red and negative for Black; 0 is an empty square. */

export const EMPTY = 0;
export const SOLDIER = 1;
export const ADVISOR = 2;
export const ELEPHANT = 3;
export const HORSE = 4;
export const CANNON = 5;
export const CHARIOT = 6;
export const GENERAL = 7;

export const RED = 1;
export const BLACK = -1;
export type Side = typeof RED | typeof BLACK;

/**
 * The piece on every square, a1 first. A plain array, since V8 copies one of this size five times as fast as a typed
 * array; all are made without holes, so that it reads them nearly as fast.
 */
export type Cells = readonly number[];

export const PIECE_LETTERS = 'PABNCRKpabncrk';

const WXF_LETTERS = ' PAEHCRK';
const RED_CHARACTERS = ' 兵仕相傌炮俥帥';
const BLACK_CHARACTERS = ' 卒士象馬砲車將';
const KIND_NAMES = ['', 'soldier', 'advisor', 'elephant', 'horse', 'cannon', 'chariot', 'general'];
const SET = [0, 5, 2, 2, 2, 2, 2, 1];

export const sideOf = (piece: number): Side => (piece > 0 ? RED : BLACK);
export const sideName = (side: Side): string => (side === RED ? 'Red' : 'Black');
export const kindName = (piece: number): string => KIND_NAMES[Math.abs(piece)]!;
/** The letter of a kind in move lists: E and H where positions have B and N. */
export const wxfLetter = (piece: number): string => WXF_LETTERS[Math.abs(piece)]!;
/** The character on a piece. */
export const character = (piece: number): string =>
  (piece > 0 ? RED_CHARACTERS : BLACK_CHARACTERS)[Math.abs(piece)]!;
/** How many of a kind each side begins with. */
export const setOf = (piece: number): number => SET[Math.abs(piece)]!;

/** Can this kind cross the river? */
export const crosses = (piece: number): boolean => {
  const kind = Math.abs(piece);
  return kind === SOLDIER || kind === HORSE || kind === CANNON || kind === CHARIOT;
};

/** The letters of the pieces, from Black's general to Red's. */
const LETTERS: readonly string[] = [...'krcnbap', '', ...'PABNCRK'];

/** The FEN letter of a piece, `''` for an empty square. */
export const pieceLetter = (piece: number): string => LETTERS[piece + GENERAL]!;

/** The piece of a FEN letter, 0 for `''` and for any other text. */
export function pieceOf(letter: string): number {
  const at = LETTERS.indexOf(letter);
  return at < 0 ? EMPTY : at - GENERAL;
}

/** For the catalogue, from the general down. */
export const PIECES: readonly PieceSpec[] = [
  {
    kind: GENERAL,
    moves:
      'One square up, down or sideways inside its palace; on a file open between them one general attacks the other.',
  },
  { kind: ADVISOR, moves: 'One square diagonally inside its palace.' },
  {
    kind: ELEPHANT,
    moves: 'Exactly two squares diagonally if the square between is empty; never across the river.',
  },
  {
    kind: HORSE,
    moves:
      'One square straight, then one diagonally outward; not if the square that it steps over is occupied.',
  },
  { kind: CHARIOT, moves: 'Any distance along a rank or a file.' },
  {
    kind: CANNON,
    moves: 'Moves as the chariot; captures along a line by jumping exactly one piece of either side.',
  },
  {
    kind: SOLDIER,
    moves: 'One square forward; once across the river also one square sideways; never backward.',
  },
].map(({ kind, moves }) => ({
  letter: pieceLetter(kind),
  name: kindName(kind),
  chinese: [character(kind), character(-kind)],
  moves,
}));
