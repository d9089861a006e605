import { rulesetById, rulesets } from '../../src/rules/registry.js';
import { firstOfRematch } from '../../src/rules/rematch.js';
import type { Outcome, Player } from '../../src/rules/ruleset.js';

/** Who starts a rematch, by the texts of the rules. */

const won = (winner: Player): Outcome => ({ winner, reason: 'resignation' });
const drawn: Outcome = { winner: null, reason: 'quietLimit' };
const aborted: Outcome = { winner: null, reason: 'aborted' };

const WINNER_STARTS = ['banqi-hongkong', 'banqi-taiwan', 'half-chess'];

test('the winner starts only in the face-down games', () => {
  const ids = rulesets().filter(({ rematch }) => rematch === 'winnerStarts');
  expect(ids.map(({ id }) => id)).toEqual(WINNER_STARTS);
});

test.each([
  ['banqi-taiwan', won('first'), 'first'],
  ['banqi-taiwan', won('second'), 'second'],
  ['banqi-taiwan', drawn, 'second'],
  ['banqi-taiwan', aborted, 'second'],
  ['banqi-taiwan', null, 'second'],
  ['chess', won('first'), 'second'],
  ['chess', won('second'), 'second'],
  ['chess', drawn, 'second'],
  ['chess', null, 'second'],
] as const)('%s %j: %s of the old game starts', (id, outcome, first) => {
  expect(firstOfRematch(rulesetById(id)!, outcome)).toBe(first);
});
