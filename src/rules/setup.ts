import { accept, refuse, type Result } from './result.js';
import { RANDOM_SETUP, type Options, type Ruleset } from './ruleset.js';
import { shown } from './shown.js';

/** The drawn set-up of an opening: its rows, white first, such as `NQRBK/qbnrk`, and its number. */

type Drawn = Pick<Ruleset<never>, 'name' | 'chance' | 'dealing'>;

const count = (text: string, letter: string): number => text.split(letter).length - 1;

function setupFault({ name, chance, dealing }: Drawn, text: string): string | null {
  if (chance !== 'setup') return `${name} has no set-ups to choose from. Half-Court Chess has.`;
  const form = dealing.join('/');
  if (text.length !== form.length)
    return `A set-up must have ${form.length} characters, such as ${form}; got ${shown(text)}.`;
  const rows = text.split('/');
  if (rows.length !== dealing.length)
    return `A set-up must have ${dealing.length} rows with / between, such as ${form}; got ${shown(text)}.`;
  for (const [at, list] of dealing.entries()) {
    const wrong = [...list].find((letter) => count(rows[at]!, letter) !== count(list, letter));
    if (wrong !== undefined || rows[at]!.length !== list.length) {
      return `Row ${at + 1} of the set-up must have the letters ${list}, each once, in any order; got ${shown(rows[at])}.`;
    }
  }
  return null;
}

/** A set-up of this rule set; refused with INVALID_SETUP. */
export function parseSetup(ruleset: Drawn, text: string): Result<string> {
  const fault = setupFault(ruleset, text);
  return fault === null ? accept(text) : refuse('INVALID_SETUP', 'setup', fault);
}

const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1));

/** How many set-ups there are. */
export const setupCount = ({ dealing }: Drawn): number =>
  dealing.reduce((product, { length }) => product * factorial(length), 1);

/** The index of a row among all permutations of its letters, sorted as in the dealing list. */
const rowIndex = (list: string, row: string): number =>
  [...row].reduce(
    ({ index, left }, letter) => ({
      index: index + left.indexOf(letter) * factorial(left.length - 1),
      left: left.replace(letter, ''),
    }),
    { index: 0, left: list },
  ).index;

function rowAt(list: string, index: number): string {
  let left = list;
  let rest = index;
  let row = '';
  while (left !== '') {
    const size = factorial(left.length - 1);
    const letter = left.charAt(Math.floor(rest / size));
    row += letter;
    left = left.replace(letter, '');
    rest %= size;
  }
  return row;
}

/**
 * The number of a parsed set-up, from 0, made of the indices of its rows, white's first. In Half-Court Chess white
 * row index * 120 + black row index, 0 to 14399.
 */
export const setupNumber = ({ dealing }: Drawn, setup: string): number =>
  setup
    .split('/')
    .reduce((number, row, at) => number * factorial(row.length) + rowIndex(dealing[at]!, row), 0);

/** The set-up of a number; refused with INVALID_SETUP for anything but a whole number in the range. */
export function setupOf(ruleset: Drawn, number: number): Result<string> {
  const last = setupCount(ruleset) - 1;
  if (ruleset.chance !== 'setup') return parseSetup(ruleset, '');
  if (!Number.isInteger(number) || number < 0 || number > last) {
    const message = `The number of a set-up must be a whole number from 0 to ${last}; got ${shown(number)}.`;
    return refuse('INVALID_SETUP', 'number', message, { min: 0, max: last });
  }
  let rest = number;
  const rows: string[] = [];
  for (const list of [...ruleset.dealing].reverse()) {
    rows.unshift(rowAt(list, rest % factorial(list.length)));
    rest = Math.floor(rest / factorial(list.length));
  }
  return accept(rows.join('/'));
}

/** The set-up in the options; null if they leave it to chance. */
export function chosenSetup<P>(
  { options: specs }: Pick<Ruleset<P>, 'options'>,
  options: Options,
): string | null {
  const name = Object.keys(specs).find((each) => specs[each]!.type === 'setup');
  const chosen = name === undefined ? RANDOM_SETUP : options[name];
  return typeof chosen === 'string' && chosen !== RANDOM_SETUP ? chosen : null;
}
