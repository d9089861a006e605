import { KINDS, trials } from '../fuzz/kinds.mjs';
import { random } from '../support/random.mjs';
import { identity, parseDeal } from '../../src/rules/deal.js';
import { parseOptions } from '../../src/rules/options.js';
import * as play from '../../src/rules/play.js';
import { rulesets } from '../../src/rules/registry.js';
import { parseSetup } from '../../src/rules/setup.js';

/** What `npm run fuzz` does with a million texts of each kind. */

const COUNT = 2000;
const SEED = 404;

const core = { ...play, identity, parseDeal, parseOptions, parseSetup };

describe.each(rulesets().map((ruleset) => [ruleset.id, ruleset] as const))('%s', (id, ruleset) => {
  const next = trials(core, ruleset, random(SEED));

  test.each(KINDS)('any text as %s gets a valid answer', (kind) => {
    let refused = 0;
    for (let n = 0; n < COUNT; n++) {
      const trial = next[kind]();
      try {
        const answer = trial.answer();
        trial.verify(answer);
        if (!answer.ok) refused++;
      } catch (error) {
        throw new Error(`${id} ${kind} ${JSON.stringify(trial.text.slice(0, 200))}`, { cause: error });
      }
    }
    expect(refused).toBeGreaterThan(COUNT / 10);
  });
});
