import { squareIndex } from './board.js';
import { accept, refuse, type Result } from './result.js';
import type { Ruleset } from './ruleset.js';
import { shown } from './shown.js';

/** The deal of a face-down game as text: the letters square by square, rank 1 first, files from a. */

const count = (text: string, letter: string): number => text.split(letter).length - 1;

const times = (number: number): string => (number === 1 ? 'once' : `${number} times`);

function dealFault(set: string, text: string): string | null {
  if (text.length !== set.length)
    return `A deal must have ${set.length} letters; this one has ${text.length}.`;
  const strange = [...text].find((letter) => !set.includes(letter));
  if (strange !== undefined)
    return `A deal must have only the letters of ${set}; this one has ${shown(strange)}.`;
  const wrong = [...set].find((letter) => count(text, letter) !== count(set, letter));
  return wrong === undefined
    ? null
    : `A deal must have the letter ${wrong} ${times(count(set, wrong))}; this one has it ${times(count(text, wrong))}.`;
}

/** A deal of this rule set, which is a permutation of its dealing list; refused with INVALID_DEAL. */
export function parseDeal<P>(ruleset: Ruleset<P>, text: string): Result<string> {
  const fault =
    ruleset.chance === 'deal'
      ? dealFault(ruleset.dealing.join(''), text)
      : `${ruleset.name} has no deal: nothing lies face-down in it.`;
  return fault !== null ? refuse('INVALID_DEAL', 'deal', fault) : accept(text);
}

/** The letter that a deal puts on the square of this name; null where the board has no such square. */
export function identity<P>(ruleset: Ruleset<P>, deal: string, square: string): string | null {
  return deal[squareIndex(ruleset.board, square)] ?? null;
}
