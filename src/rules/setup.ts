import { accept, refuse, type Result } from './result.js';
import { RANDOM_SETUP, type Options, type Ruleset } from './ruleset.js';

/** The set-up of a game whose opening chance draws: its rows, white first, as in `NQRBK/qbnrk`, and their number. */

/** What this module needs to know of a rule set. */
type Drawn = Pick<Ruleset<never>, 'name' | 'chance' | 'dealing'>;

const count = (text: string, letter: string): number => text.split(letter).length - 1;

function setupFault({ name, chance, dealing }: Drawn, text: string): string | null {
  if (chance !== 'setup') return `${name} has no set-up to choose.`;
  const form = dealing.join('/');
  if (text.length !== form.length) return `A set-up is ${form.length} characters, as ${form}.`;
  const rows = text.split('/');
  if (rows.length !== dealing.length) return `A set-up is ${dealing.length} rows with / between, as ${form}.`;
  for (const [at, list] of dealing.entries()) {
    const wrong = [...list].find((letter) => count(rows[at]!, letter) !== count(list, letter));
    if (wrong !== undefined || rows[at]!.length !== list.length) {
      return `Row ${at + 1} of a set-up has the letters of ${list}, each once, in any order.`;
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

/** Where a row stands among all orders of its letters, which are sorted as in the dealing list. */
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
 * The number of a parsed set-up, from 0: its rows' indices among all orders of the dealing list, white's first.
 * In Half-Court Chess white row index * 120 + black row index, 0 to 14399.
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
    return refuse('INVALID_SETUP', 'number', `The number of a set-up is a whole number from 0 to ${last}.`);
  }
  let rest = number;
  const rows: string[] = [];
  for (const list of [...ruleset.dealing].reverse()) {
    rows.unshift(rowAt(list, rest % factorial(list.length)));
    rest = Math.floor(rest / factorial(list.length));
  }
  return accept(rows.join('/'));
}

/** The set-up that the options name; null where they leave it to chance. */
export function chosenSetup<P>(
  { options: specs }: Pick<Ruleset<P>, 'options'>,
  options: Options,
): string | null {
  const name = Object.keys(specs).find((each) => specs[each]!.type === 'setup');
  const chosen = name === undefined ? RANDOM_SETUP : options[name];
  return typeof chosen === 'string' && chosen !== RANDOM_SETUP ? chosen : null;
}
