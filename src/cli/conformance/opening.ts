import { identity, parseDeal } from '../../rules/deal.js';
import { parseOptions } from '../../rules/options.js';
import { begin, resume, type Game } from '../../rules/play.js';
import { rulesetById, type AnyRuleset } from '../../rules/registry.js';
import { accept, refuse, type Result } from '../../rules/result.js';
import type { Options } from '../../rules/ruleset.js';
import { chosenSetup, parseSetup } from '../../rules/setup.js';
import type { Opening } from './format.js';

/** The game at the beginning of a line: at `start`, or where that is null at the ordinary start. */
export function open(line: Opening, start: string | null): Result<Game<unknown>> {
  const ruleset: AnyRuleset | undefined = rulesetById(line.ruleset);
  if (ruleset === undefined) return refuse('INVALID_OPTIONS', 'ruleset', `There is no rule set ${JSON.stringify(line.ruleset)}.`); // prettier-ignore
  const options = parseOptions(ruleset, line.options ?? {});
  if (!options.ok) return options;
  const setup = drawnSetup(ruleset, options.value, line.setup ?? null);
  if (!setup.ok) return setup;
  if (start !== null) return openAt(ruleset, options.value, line, start);
  if (line.deal != null) {
    const deal = parseDeal(ruleset, line.deal);
    if (!deal.ok) return deal;
  }
  return accept(begin<unknown>(ruleset, options.value, setup.value));
}

/** What chance drew; null where the options name the set-up, which the line may only repeat. */
function drawnSetup(ruleset: AnyRuleset, options: Options, setup: string | null): Result<string | null> {
  if (setup === null) return accept(null);
  const drawn = parseSetup(ruleset, setup);
  const named = chosenSetup(ruleset, options);
  if (!drawn.ok || named === null) return drawn;
  if (named === setup) return accept(null);
  return refuse('INVALID_SETUP', 'setup', `The options name the set-up ${named}, the line ${setup}.`);
}

/** Of the deal, only the letters of the squares that lie face-down count, and there they are the unseen ones. */
function openAt(
  ruleset: AnyRuleset,
  options: Options,
  { deal }: Opening,
  fen: string,
): Result<Game<unknown>> {
  if (deal == null) return resume<unknown>(ruleset, options, { fen, plies: [] });
  if (!ruleset.hidden) return refuse('INVALID_DEAL', 'deal', `${ruleset.name} has no deal.`);
  return resume<unknown>(ruleset, options, { fen, plies: [], unseen: faceDown(fen, deal) });
}

/** The letters of the deal on the squares that the text shows face-down. */
function faceDown(fen: string, deal: string): string {
  const [board] = fen.split(' ', 1);
  const rows = board!.replace(/[0-9]/g, (run) => '.'.repeat(Number(run))).split('/');
  const cells = rows.reverse().join('');
  return [...deal].filter((_, square) => cells[square] === 'x').join('');
}

/** The letter that the deal of a line puts on a square; null where it has no deal or no such square. */
export const dealt = (ruleset: AnyRuleset, { deal }: Opening, square: string): string | null =>
  deal == null ? null : identity(ruleset, deal, square);
