import { drawn, endedBy, finish } from '../state.js';
import { act, logged } from './act.js';
import { condition, notOver, beforeDeadline } from './conditions.js';

const beforePly2 = condition(
  'TOO_LATE_TO_ABORT',
  ({ state }) => state.plyCount < 2,
  ({ state }) =>
    `A game can be aborted only before ply 2; this one is at ply ${state.plyCount}. Resign instead.`,
);

/** Otherwise a player could look at the deal and abort a bad one. */
const nothingTurnedUp = condition(
  'TOO_LATE_TO_ABORT',
  ({ lastTurnUp = 0, lastOwnPly = 0 }) => lastTurnUp === 0 || lastTurnUp !== lastOwnPly,
  'You have turned up a piece, so you cannot abort this game any more. Resign instead.',
);

export const abort = act({
  name: 'abort',
  path: 'abort',
  description: 'Abort the game, before ply 2 and before you have turned up a piece.',
  needs: ['lastTurnUp', 'lastOwnPly'],
  conditions: [notOver, beforeDeadline, beforePly2, nothingTurnedUp],
  done: ({ state }) => endedBy(state, 'aborted'),
  apply: ({ state, player, now }) => finish(state, drawn('aborted'), [logged('abort', player)], now),
  ends: true,
});
