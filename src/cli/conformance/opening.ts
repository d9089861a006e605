import { identity, parseDeal } from '../../rules/deal.js';
import { parseOptions } from '../../rules/options.js';
import { begin, resume, type Game } from '../../rules/play.js';
import { rulesetById, type AnyRuleset } from '../../rules/registry.js';
import { accept, refuse, type Result } from '../../rules/result.js';
import type { Options } from '../../rules/ruleset.js';
import { chosenSetup, parseSetup } from '../../rules/setup.js';
import type { Opening } from './format.js';

/** The game at the start of a line: at `start`, or at the usual start if that is null. */
export function open(line: Opening, start: string | null): Result<Game<unknown>> {
  const ruleset: AnyRuleset | undefined = rulesetById(line.ruleset);
  if (ruleset === undefined) return refuse('INVALID_OPTIONS', 'ruleset', `No rule set has the id ${JSON.stringify(line.ruleset)}.`); // prettier-ignore
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

/** The drawn set-up; null if the options name it, which the line may only repeat. */
function drawnSetup(ruleset: AnyRuleset, options: Options, setup: string | null): Result<string | null> {
  if (setup === null) return accept(null);
  const drawn = parseSetup(ruleset, setup);
  const named = chosenSetup(ruleset, options);
  if (!drawn.ok || named === null) return drawn;
  if (named === setup) return accept(null);
  return refuse(
    'INVALID_SETUP',
    'setup',
    `setup (${setup}) must equal the set-up in the options (${named}).`,
  );
}

/** A game from a position, with the face-down pieces taken from the deal. */
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

/** The letters of the deal on the face-down squares of a FEN. */
function faceDown(fen: string, deal: string): string {
  const [board] = fen.split(' ', 1);
  const rows = board!.replace(/[0-9]/g, (run) => '.'.repeat(Number(run))).split('/');
  const cells = rows.reverse().join('');
  return [...deal].filter((_, square) => cells[square] === 'x').join('');
}

/** The letter of the deal on a square; null without a deal or such a square. */
export const dealt = (ruleset: AnyRuleset, { deal }: Opening, square: string): string | null =>
  deal == null ? null : identity(ruleset, deal, square);
