import { opponent } from '../../rules/ruleset.js';
import { endedBy, finish, won } from '../state.js';
import { act, logged } from './act.js';
import { running } from './conditions.js';

export const resign = act({
  name: 'resign',
  path: 'resign',
  description: 'Resign the game, in your own or your opponent’s turn.',
  conditions: running,
  done: ({ state, player }) => endedBy(state, 'resignation', opponent(player)),
  apply: ({ state, player, now }) =>
    finish(state, won(opponent(player), 'resignation'), [logged('resign', player)], now),
  ends: true,
});
