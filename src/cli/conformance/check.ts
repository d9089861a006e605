import { rulesetById } from '../../rules/registry.js';
import { inWords, type Difference } from './difference.js';
import { readLine, type Line } from './format.js';
import { checkGame } from './games.js';
import { checkDeal, checkInvalid, checkPerft } from './lines.js';

/** How lines of a kind are named and checked. */
interface Kind<L> {
  /** The name of a line in messages. */
  nameOf(line: L): string;
  /** The differences between the rules and a line. */
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

/** The differences between the rules and this line. */
export const check = (read: Line): readonly Difference[] => kindOf(read).check(read.line);

/** The faults of one line as messages; empty if it passes. `file` is the name without its folder. */
export function faultsOf(text: string, file: string): readonly string[] {
  const read = readLine(text, file);
  if (typeof read === 'string') return [`not a line of the format: ${read}`];
  const { ruleset } = read.line;
  if (rulesetById(ruleset) === undefined) return [`no rule set has the id ${JSON.stringify(ruleset)}`];
  const name = `${ruleset} ${kindOf(read).nameOf(read.line)}`;
  try {
    return check(read).map((found) => `${name} ${inWords(found)}`);
  } catch (error) {
    return [`${name} threw ${error instanceof Error ? error.message : String(error)}`];
  }
}
