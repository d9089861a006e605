import { parseDeal, identity } from '../../dist/rules/deal.js';
import { parseOptions } from '../../dist/rules/options.js';
import * as play from '../../dist/rules/play.js';
import { rulesets } from '../../dist/rules/registry.js';
import { parseSetup } from '../../dist/rules/setup.js';
import { KINDS, trials } from './kinds.mjs';
import { random } from '../support/random.mjs';

/**
 * Feeds random and corrupted texts to the rules as moves, positions, options, deals and set-ups, COUNT of
 * each kind spread over all rule sets. Exits with 1 if anything throws, gives a wrong answer, or takes more
 * than a millisecond (the best of twenty further measurements, because garbage collection or other programs
 * may delay one).
 *
 *   npm run fuzz [-- COUNT SEED]
 *
 *   COUNT   number of texts of each kind (default 1,000,000)
 *   SEED    seed of the random choices (default 1)
 */

const COUNT = Number(process.argv[2] ?? 1_000_000);
const SEED = Number(process.argv[3] ?? 1);
const LIMIT = 1;

const core = { ...play, identity, parseDeal, parseOptions, parseSetup };

const short = (text) => {
  const shown = text.length > 60 ? `${text.slice(0, 60)}... (${text.length} characters)` : text;
  return JSON.stringify(shown).replaceAll('|', '\\|');
};

/** The answer and the milliseconds it took. */
function timed({ answer }) {
  const start = performance.now();
  const given = answer();
  return { given, took: performance.now() - start };
}

const TRIES = 20;

/** Measures again until one run is fast, because other programs may have delayed the first. */
function again(trial) {
  let best = timed(trial).took;
  for (let tries = 1; tries < TRIES && best > LIMIT; tries++) best = Math.min(best, timed(trial).took);
  return best;
}

/** Runs one trial; returns whether the text was accepted and how long it took. */
function run(trial) {
  const { given, took } = timed(trial);
  trial.verify(given);
  return { accepted: given.ok, took: took > LIMIT ? again(trial) : took };
}

function runKind(kind, makers) {
  const found = { kind, accepted: 0, refused: 0, slowest: 0, text: '', ruleset: '', faults: [] };
  for (let n = 0; n < COUNT; n++) {
    const { id, next } = makers[n % makers.length];
    const trial = next[kind]();
    try {
      const { accepted, took } = run(trial);
      found[accepted ? 'accepted' : 'refused']++;
      if (took > LIMIT)
        found.faults.push(`${id} ${kind} ${short(trial.text)} took ${(took * 1000).toFixed(0)} us`);
      if (took > found.slowest) Object.assign(found, { slowest: took, text: trial.text, ruleset: id });
    } catch (error) {
      found.faults.push(`${id} ${kind} ${short(trial.text)}: ${error.stack.split('\n', 4).join('\n')}`);
    }
  }
  return found;
}

const makers = rulesets().map((ruleset, at) => ({
  id: ruleset.id,
  next: trials(core, ruleset, random(SEED + at)),
}));
console.log(`Rule sets: ${makers.map(({ id }) => id).join(', ')}. Seed ${SEED}.\n`);
console.log('| kind | accepted | refused | slowest answer (us) | of | text |');
console.log('| --- | --- | --- | --- | --- | --- |');
const faults = [];
for (const kind of KINDS) {
  const { accepted, refused, slowest, text, ruleset, faults: more } = runKind(kind, makers);
  console.log(
    `| ${kind} | ${accepted} | ${refused} | ${(slowest * 1000).toFixed(0)} | ${ruleset} | ${short(text)} |`,
  );
  faults.push(...more);
}
for (const fault of faults.slice(0, 20)) console.error(`FAILED  ${fault}`);
if (faults.length > 20) console.error(`... and ${faults.length - 20} more`);
console.log(faults.length === 0 ? '\nNo errors and no slow answers.' : `\n${faults.length} failures.`);
process.exitCode = faults.length === 0 ? 0 : 1;
