import { squareName, type BoardSize } from '../board.js';
import type { Move } from '../ruleset.js';
import { kindLetter } from './pieces.js';

/** A move as a number: six bits from, six bits to, three bits of what a pawn becomes, two bits of what is special. */

export const PLAIN = 0;
export const EN_PASSANT = 1;
export const CASTLING = 2;

const TO = 6;
const PROMOTION = 12;
const SPECIAL = 15;

export const plainMove = (from: number, to: number): Move => from | (to << TO);

export const makeMove = (from: number, to: number, promotion = 0, special = PLAIN): Move =>
  from | (to << TO) | (promotion << PROMOTION) | (special << SPECIAL);

export const fromOf = (move: Move): number => move & 63;
export const toOf = (move: Move): number => (move >> TO) & 63;
/** The kind that the pawn becomes, 0 when it stays a pawn. */
export const promotionOf = (move: Move): number => (move >> PROMOTION) & 7;
export const specialOf = (move: Move): number => move >> SPECIAL;

/** As players submit it: `e2e4`, `e7e8q`, castling as the king's move. */
export const moveText = (size: BoardSize, move: Move): string =>
  squareName(size, fromOf(move)) + squareName(size, toOf(move)) + promotionText(move);

const promotionText = (move: Move): string =>
  promotionOf(move) === 0 ? '' : kindLetter(promotionOf(move)).toLowerCase();
