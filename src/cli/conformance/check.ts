import { rulesetById } from '../../rules/registry.js';
import { inWords, type Difference } from './difference.js';
import { readLine, type Line } from './format.js';
import { checkGame } from './games.js';
import { checkDeal, checkInvalid, checkPerft } from './lines.js';

/** Where the rules say something else than this line. */
export function check({ type, line }: Line): readonly Difference[] {
  switch (type) {
    case 'game':
      return checkGame(line);
    case 'perft':
      return checkPerft(line);
    case 'deal':
      return checkDeal(line);
    case 'invalid':
      return checkInvalid(line);
  }
}

/** What a line is called besides its number. */
function nameOf({ type, line }: Line): string {
  switch (type) {
    case 'game':
      return line.id;
    case 'perft':
      return `perft ${line.fen ?? 'start'} depth ${line.depth}`;
    case 'deal':
      return `deal ${line.gameId}`;
    case 'invalid':
      return `invalid ${line.kind}`;
  }
}

/** What is wrong with one line of a file (named without its folder), each in words; nothing when it passes. */
export function faultsOf(text: string, file: string): readonly string[] {
  const read = readLine(text, file);
  if (typeof read === 'string') return [`not a line of the format: ${read}`];
  const { ruleset } = read.line;
  if (rulesetById(ruleset) === undefined) return [`there is no rule set ${JSON.stringify(ruleset)}`];
  try {
    return check(read).map((found) => `${ruleset} ${nameOf(read)} ${inWords(found)}`);
  } catch (error) {
    return [`${ruleset} ${nameOf(read)} threw ${error instanceof Error ? error.message : String(error)}`];
  }
}
