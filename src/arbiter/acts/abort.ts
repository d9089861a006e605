import { drawn, endedBy, finish } from '../state.js';
import { act, logged } from './act.js';
import { condition, goesOn, inTime } from './conditions.js';

const beforePly2 = condition(
  'TOO_LATE_TO_ABORT',
  ({ state }) => state.plyCount < 2,
  'After ply 2 a game is resigned, not aborted.',
);

/** A deal that somebody has looked at is not called off by whoever dislikes it. */
const nothingTurnedUp = condition(
  'TOO_LATE_TO_ABORT',
  ({ lastTurnUp = 0, lastOwnPly = 0 }) => lastTurnUp === 0 || lastTurnUp !== lastOwnPly,
  'You have turned up a piece: from then on a game is resigned, not aborted.',
);

export const abort = act({
  name: 'abort',
  path: 'abort',
  description: 'Abort the game, before ply 2 and before you have turned up a piece.',
  needs: ['lastTurnUp', 'lastOwnPly'],
  conditions: [goesOn, inTime, beforePly2, nothingTurnedUp],
  done: ({ state }) => endedBy(state, 'aborted'),
  apply: ({ state, player, now }) => finish(state, drawn('aborted'), [logged('abort', player)], now),
  ends: true,
});
