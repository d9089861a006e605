import { rulesetById } from '../../rules/registry.js';
import { inWords, type Difference } from './difference.js';
import { readLine, type Line } from './format.js';
import { checkGame } from './games.js';
import { checkDeal, checkInvalid, checkPerft } from './lines.js';

/** What can be done with the lines of a kind. */
interface Kind<L> {
  /** What a line is called besides its number. */
  nameOf(line: L): string;
  /** Where the rules say something else than a line. */
  check(line: L): readonly Difference[];
}

type LineOf<T extends Line['type']> = Extract<Line, { readonly type: T }>['line'];

const KINDS: { readonly [T in Line['type']]: Kind<LineOf<T>> } = {
  game: { nameOf: ({ id }) => id, check: checkGame },
  perft: { nameOf: ({ fen, depth }) => `perft ${fen ?? 'start'} depth ${depth}`, check: checkPerft },
  deal: { nameOf: ({ gameId }) => `deal ${gameId}`, check: checkDeal },
  invalid: { nameOf: ({ kind }) => `invalid ${kind}`, check: checkInvalid },
};

const kindOf = ({ type }: Line) => KINDS[type] as Kind<Line['line']>;

/** Where the rules say something else than this line. */
export const check = (read: Line): readonly Difference[] => kindOf(read).check(read.line);

/** What is wrong with one line of a file (named without its folder), each in words; nothing when it passes. */
export function faultsOf(text: string, file: string): readonly string[] {
  const read = readLine(text, file);
  if (typeof read === 'string') return [`not a line of the format: ${read}`];
  const { ruleset } = read.line;
  if (rulesetById(ruleset) === undefined) return [`there is no rule set ${JSON.stringify(ruleset)}`];
  const name = `${ruleset} ${kindOf(read).nameOf(read.line)}`;
  try {
    return check(read).map((found) => `${name} ${inWords(found)}`);
  } catch (error) {
    return [`${name} threw ${error instanceof Error ? error.message : String(error)}`];
  }
}
