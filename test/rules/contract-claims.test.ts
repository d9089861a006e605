import { counted, NEEDED } from '../../src/rules/claim-counts.js';
import { claim } from '../../src/rules/claims.js';
import type { Game } from '../../src/rules/play.js';
import { rulesets } from '../../src/rules/registry.js';
import { firstOfRematch } from '../../src/rules/rematch.js';
import { CLAIMS, PLAYERS, type Claim } from '../../src/rules/ruleset.js';
import { randomGames } from '../support/random-games.js';

/** What is true of claims and rematches in every registered rule set; see contract.full.test.ts. */

const SEED = 1876;

const reached = ({ ruleset, history }: Game<unknown>, each: Claim): boolean =>
  counted(ruleset, history, each) >= NEEDED[each];

describe.each(rulesets().map((ruleset) => [ruleset.id, ruleset] as const))('%s', (_, ruleset) => {
  const games = randomGames(ruleset, SEED);
  const running = games.flatMap(({ states }) => states.filter(({ outcome }) => outcome === null));
  const { claims } = ruleset;

  test('its draws may be claimed from their limit on, and others need no claim', () => {
    expect(CLAIMS.filter((each) => claims.includes(each))).toEqual(claims);
    for (const state of running) {
      const due = claims.filter((each) => reached(state, each));
      expect(ruleset.claimable(state.history)).toEqual(due);
      if (!claims.includes('threefoldRepetition')) expect(reached(state, 'threefoldRepetition')).toBe(false);
    }
  });

  test.each(CLAIMS)('a claim of %s is accepted if it is allowed, else refused with the reason', (each) => {
    const why = claims.includes(each)
      ? /; a claim needs .*\.$/
      : /^A draw by \w+ cannot be claimed in this game: .*\.$/;
    const message: unknown = expect.stringMatching(why);
    const refusal = { code: 'CLAIM_NOT_MET', field: 'reason', message };
    for (const state of running.filter((_, at) => at % 3 === 0)) {
      const given = ruleset.claimable(state.history).includes(each);
      const value = { winner: null, reason: each };
      expect(claim(state, each)).toEqual(given ? { ok: true, value } : { ok: false, refusal });
    }
  });

  test('nothing can be claimed after the end', () => {
    for (const { states } of games) {
      for (const each of CLAIMS) {
        expect(claim(states.at(-1)!, each)).toMatchObject({ ok: false, refusal: { code: 'GAME_OVER' } });
      }
    }
  });

  test('a rematch is started by the winner or by the other player, as declared', () => {
    const starters = PLAYERS.map((winner) => firstOfRematch(ruleset, { winner, reason: 'resignation' }));
    expect(starters).toEqual(ruleset.rematch === 'winnerStarts' ? PLAYERS : ['second', 'second']);
    expect(firstOfRematch(ruleset, { winner: null, reason: 'agreement' })).toBe('second');
  });
});
