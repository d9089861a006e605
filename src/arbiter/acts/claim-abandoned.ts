import { abandonedAt } from '../clock.js';
import { drawn, finish, timeoutFor, turnOf, type GameState } from '../state.js';
import { act, logged } from './act.js';
import { condition, conditionOf, notOnMove, playing } from './conditions.js';

const noClock = condition(
  'NOT_ABANDONED',
  ({ state }) => state.timeControl.type === 'none',
  'The game has a time control: the clock ends it by itself.',
);

const abandoned = condition(
  'NOT_ABANDONED',
  ({ state, now }) => {
    const at = abandonedAt(turnOf(state));
    return at !== null && now >= at;
  },
  'A game counts as abandoned when nobody has moved for 30 days; abandonableAt tells when.',
);

/** Whoever is to move can move: he wins nothing by his own absence. */
const waiting = conditionOf(notOnMove.codes, (situation) =>
  situation.state.plyCount < 2 ? null : notOnMove(situation),
);

/** Without a time control nothing else ends by timeout; and what was called off is called off. */
const wasAbandoned = ({ outcome, timeControl }: GameState): boolean =>
  timeControl.type === 'none' && (outcome?.reason === 'timeout' || outcome?.reason === 'aborted');

/** Nobody has moved for 30 days: called off before ply 2, else won by the player who waits, if he could ever win. */
export const claimAbandoned = act({
  name: 'claimAbandoned',
  path: 'abandoned',
  description: 'End a game without a time control in which nobody has moved for 30 days.',
  needs: ['canWin'],
  conditions: [...playing, noClock, waiting, abandoned],
  done: ({ state }) => wasAbandoned(state),
  apply: ({ state, player, now, canWin }) => {
    const outcome = state.plyCount < 2 ? drawn('aborted') : timeoutFor(player, canWin);
    return finish(state, outcome, [logged('claimAbandoned', player)], now);
  },
  ends: true,
});
