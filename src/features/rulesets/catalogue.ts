import { unwrap } from '../../engine/refusals.js';
import { parseOptions } from '../../rules/options.js';
import { rulesets, type AnyRuleset } from '../../rules/registry.js';
import { setupCount } from '../../rules/setup.js';
import type { Ruleset, RulesetOption } from './catalogue.model.js';

/** The rule sets as the API shows them; their addresses are those on this server. */

export const boardPath = (id: string): string => `/v1/boards/${id}.svg`;

function shownOf(ruleset: AnyRuleset): Ruleset {
  const { id, version, name, summary, source, sides, board, hidden, chance, pieces } = ruleset;
  return {
    boardUrl: boardPath(id),
    ...{ id, version, name, summary, source, sides, board, hidden, chance, pieces },
    chineseName: ruleset.chinese,
    setupCount: chance === 'setup' ? setupCount(ruleset) : null,
    start: ruleset.fen(ruleset.start(unwrap(parseOptions(ruleset, {})), null)),
    options: optionsOf(ruleset),
  };
}

const optionsOf = ({ options }: AnyRuleset): readonly RulesetOption[] =>
  Object.entries(options).map(([name, spec]) => ({
    name,
    type: spec.type,
    meaning: spec.meaning,
    default: spec.default,
    min: spec.type === 'integer' ? spec.min : null,
    max: spec.type === 'integer' ? spec.max : null,
    values: spec.type === 'choice' ? spec.values : null,
  }));

export const CATALOGUE: readonly Ruleset[] = rulesets().map(shownOf);

const byId = new Map(CATALOGUE.map((ruleset) => [ruleset.id, ruleset]));

export const inCatalogue = (id: string): Ruleset | null => byId.get(id) ?? null;
