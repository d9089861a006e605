import { drawn, endedBy, finish } from '../table.js';
import { act, logged } from './act.js';
import { goesOn, inTime, unless, type Condition } from './conditions.js';

const beforePly2: Condition = ({ table }) =>
  unless(table.plyCount < 2, 'TOO_LATE_TO_ABORT', 'After ply 2 a game is resigned, not aborted.');

export const abort = act({
  name: 'abort',
  path: 'abort',
  description: 'Calls the game off before ply 2.',
  conditions: [goesOn, inTime, beforePly2],
  done: ({ table }) => endedBy(table, 'aborted'),
  apply: ({ table, player, now }) => finish(table, drawn('aborted'), [logged('abort', player)], now),
  ends: true,
});
