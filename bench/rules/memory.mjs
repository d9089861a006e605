import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { identity } from '../../dist/rules/deal.js';
import { parseOptions } from '../../dist/rules/options.js';
import { rulesets } from '../../dist/rules/registry.js';
import { oneOf, random } from '../../test/support/random.mjs';

/** Measures heap use over many plies of random games of all rule sets. */

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

const LONGEST = 200;

/** Plays one random game; returns its number of plies. */
function playout(ruleset, pick) {
  const deal = ruleset.dealing.join('');
  let at = ruleset.start(parseOptions(ruleset, {}).value, null);
  for (let ply = 0; ply < LONGEST; ply++) {
    const moves = ruleset.legalMoves(at);
    if (moves.length === 0) return ply;
    const move = oneOf(pick, moves);
    const square = ruleset.turnsUp(at, move);
    at = ruleset.play(at, move, square === null ? null : identity(ruleset, deal, square));
  }
  return LONGEST;
}

function heapInMb() {
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/** The heap in MB after a tenth of the plies and after all of them. */
export function measureMemory(plies) {
  const pick = random(1);
  const all = rulesets();
  let done = 0;
  const playUntil = (count) => {
    for (let n = 0; done < count; n++) done += playout(all[n % all.length], pick);
    return heapInMb();
  };
  return [playUntil(plies / 10), playUntil(plies)];
}
