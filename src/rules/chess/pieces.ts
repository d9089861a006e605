import type { PieceSpec } from '../ruleset.js';

/** Pieces as numbers: the kind, positive for White and negative for Black; 0 is an empty square. */

/** The piece on every square, a1 first. V8 copies typed arrays of up to 64 bytes faster than plain ones. */
export type Cells = Int8Array;

export const EMPTY = 0;
export const PAWN = 1;
export const KNIGHT = 2;
export const BISHOP = 3;
export const ROOK = 4;
export const QUEEN = 5;
export const KING = 6;

export const WHITE = 1;
export const BLACK = -1;
export type Side = typeof WHITE | typeof BLACK;

/**
 * True if this piece (not an empty square) is the other side's. Uses the sign bit, since a product of 0 and -1 would
 * be the slow -0.
 */
export const isEnemy = (piece: number, side: Side): boolean => (piece ^ side) < 0;

/** The kinds that a pawn may become. */
export const PROMOTIONS = [QUEEN, ROOK, BISHOP, KNIGHT] as const;

export const PIECE_LETTERS = 'PNBRQKpnbrqk';

const KIND_LETTERS = ' PNBRQK';
const KIND_NAMES = ['', 'pawn', 'knight', 'bishop', 'rook', 'queen', 'king'];

export const sideName = (side: Side): string => (side === WHITE ? 'White' : 'Black');
export const kindName = (piece: number): string => KIND_NAMES[Math.abs(piece)]!;
export const kindLetter = (piece: number): string => KIND_LETTERS[Math.abs(piece)]!;

/** The FEN letters from the black king to the white one, `''` for the empty square in the middle. */
const LETTERS = ['k', 'q', 'r', 'b', 'n', 'p', '', 'P', 'N', 'B', 'R', 'Q', 'K'];
const BY_LETTER: ReadonlyMap<string, number> = new Map(LETTERS.map((letter, at) => [letter, at - KING]));

/** The FEN letter of a piece, `''` for an empty square. */
export const pieceLetter = (piece: number): string => LETTERS[piece + KING]!;

/** The piece of a FEN letter, 0 for `''` and for any other text. */
export const pieceOf = (letter: string): number => BY_LETTER.get(letter) ?? EMPTY;

/** For the catalogue, most valuable first. */
export const PIECES: readonly PieceSpec[] = [
  {
    letter: 'K',
    moves: 'One square in any direction, never to an attacked one; once a game it castles with a rook.',
  },
  { letter: 'Q', moves: 'Any distance along a rank, a file or a diagonal.' },
  { letter: 'R', moves: 'Any distance along a rank or a file.' },
  { letter: 'B', moves: 'Any distance along a diagonal.' },
  {
    letter: 'N',
    moves: 'Two squares along a rank or a file and one to the side, over whatever stands between.',
  },
  {
    letter: 'P',
    moves:
      'One square forward, two from its first square; captures one square diagonally forward, also in passing; promotes on the last rank.',
  },
].map(({ letter, moves }) => ({
  letter,
  name: KIND_NAMES[KIND_LETTERS.indexOf(letter)]!,
  chinese: null,
  moves,
}));
