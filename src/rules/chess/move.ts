import { squareName, type BoardSize } from '../board.js';
import type { Move } from '../ruleset.js';
import { kindLetter } from './pieces.js';

/** A move as a number: six bits from, six bits to, three bits promotion, two bits special. */

export const PLAIN = 0;
export const EN_PASSANT = 1;
/** From the king's square to the one written after it, which is that of its target or of the rook. */
export const CASTLING = 2;

const TO = 6;
const PROMOTION = 12;
const SPECIAL = 15;
const SQUARES = 63;
const FROM_TO = 4095;

export const plainMove = (from: number, to: number): Move => from | (to << TO);

export const makeMove = (from: number, to: number, promotion = 0, special = PLAIN): Move =>
  from | (to << TO) | (promotion << PROMOTION) | (special << SPECIAL);

export const fromOf = (move: Move): number => move & SQUARES;
export const toOf = (move: Move): number => (move >> TO) & SQUARES;
/** The kind of the promotion, or 0. */
export const promotionOf = (move: Move): number => (move >> PROMOTION) & 7;
export const specialOf = (move: Move): number => move >> SPECIAL;

/** Moves on a board as players submit them: `e2e4`, `e7e8q`. */
export function moveTexts(size: BoardSize): (move: Move) => string {
  const names = Array.from({ length: SQUARES + 1 }, (_, square) => squareName(size, square));
  const texts = names.flatMap((to) => names.map((from) => from + to));
  return (move) =>
    move <= FROM_TO
      ? texts[move]!
      : texts[move & FROM_TO]! + (promotionOf(move) === 0 ? '' : kindLetter(promotionOf(move)).toLowerCase());
}
