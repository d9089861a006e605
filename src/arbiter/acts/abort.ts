import { drawn, endedBy, finish } from '../state.js';
import { act, logged } from './act.js';
import { goesOn, inTime, unless, type Condition } from './conditions.js';

const beforePly2: Condition = ({ state }) =>
  unless(state.plyCount < 2, 'TOO_LATE_TO_ABORT', 'After ply 2 a game is resigned, not aborted.');

/** A deal that somebody has looked at is not called off by whoever dislikes it. */
const nothingTurnedUp: Condition = ({ lastTurnUp = 0, lastOwnPly = 0 }) =>
  unless(
    lastTurnUp === 0 || lastTurnUp !== lastOwnPly,
    'TOO_LATE_TO_ABORT',
    'You have turned up a piece: from then on a game is resigned, not aborted.',
  );

export const abort = act({
  name: 'abort',
  path: 'abort',
  description: 'Calls the game off before ply 2; not after turning up a piece.',
  needs: ['lastTurnUp', 'lastOwnPly'],
  conditions: [goesOn, inTime, beforePly2, nothingTurnedUp],
  done: ({ state }) => endedBy(state, 'aborted'),
  apply: ({ state, player, now }) => finish(state, drawn('aborted'), [logged('abort', player)], now),
  ends: true,
});
