import { squareIndex } from './board.js';
import { accept, refuse, type Result } from './result.js';
import type { Ruleset } from './ruleset.js';

/** The deal of a face-down game as text: the letters square by square, rank 1 first, files from a. */

const count = (text: string, letter: string): number => text.split(letter).length - 1;

function dealFault(set: string, text: string): string | null {
  if (text.length !== set.length) return `A deal is ${set.length} letters, not ${text.length}.`;
  const strange = [...text].find((letter) => !set.includes(letter));
  if (strange !== undefined) return `A deal has only the letters of ${set}, not ${JSON.stringify(strange)}.`;
  const wrong = [...set].find((letter) => count(text, letter) !== count(set, letter));
  return wrong === undefined
    ? null
    : `A deal has ${count(set, wrong)} times the letter ${wrong}, not ${count(text, wrong)} times.`;
}

/** A deal of this rule set, which is a permutation of its dealing list; refused with INVALID_DEAL. */
export function parseDeal<P>(ruleset: Ruleset<P>, text: string): Result<string> {
  const fault =
    ruleset.chance === 'deal' ? dealFault(ruleset.dealing.join(''), text) : `${ruleset.name} has no deal.`;
  return fault !== null ? refuse('INVALID_DEAL', 'deal', fault) : accept(text);
}

/** The letter that a deal puts on the square of this name; null where the board has no such square. */
export function identity<P>(ruleset: Ruleset<P>, deal: string, square: string): string | null {
  return deal[squareIndex(ruleset.board, square)] ?? null;
}
