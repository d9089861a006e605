import type { Move } from '../ruleset.js';
import { SQUARES, fileOf, nameOf, rankOf } from './geometry.js';

/** A move as a number: seven bits from, seven bits to. */

const TO = 7;

export const makeMove = (from: number, to: number): Move => from | (to << TO);
export const fromOf = (move: Move): number => move & 127;
export const toOf = (move: Move): number => move >> TO;

/** The text of every move, since moves are looked up by their texts. */
const TEXTS: readonly string[] = Array.from({ length: makeMove(0, SQUARES) }, (_, move) =>
  fromOf(move) < SQUARES ? nameOf(fromOf(move)) + nameOf(toOf(move)) : '',
);

/** As players submit it: `h3e3`, `a10a9`. */
export const moveText = (move: Move): string => TEXTS[move]!;

const iccsSquare = (square: number): string => `${'ABCDEFGHI'[fileOf(square)]!}${rankOf(square)}`;

/** In ICCS, with ranks from 0: `H2-E2`. */
export const iccs = (move: Move): string => `${iccsSquare(fromOf(move))}-${iccsSquare(toOf(move))}`;
