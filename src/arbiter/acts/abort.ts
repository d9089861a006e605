import { drawn, endedBy, finish } from '../state.js';
import { act, logged } from './act.js';
import { goesOn, inTime, unless, type Condition } from './conditions.js';

const beforePly2: Condition = ({ state }) =>
  unless(state.plyCount < 2, 'TOO_LATE_TO_ABORT', 'After ply 2 a game is resigned, not aborted.');

export const abort = act({
  name: 'abort',
  path: 'abort',
  description: 'Calls the game off before ply 2.',
  conditions: [goesOn, inTime, beforePly2],
  done: ({ state }) => endedBy(state, 'aborted'),
  apply: ({ state, player, now }) => finish(state, drawn('aborted'), [logged('abort', player)], now),
  ends: true,
});
