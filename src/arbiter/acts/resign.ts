import { opponent } from '../../rules/ruleset.js';
import { endedBy, finish, won } from '../table.js';
import { act, logged } from './act.js';
import { running } from './conditions.js';

export const resign = act({
  name: 'resign',
  path: 'resign',
  description: 'Gives the game up, on move or not.',
  conditions: running,
  done: ({ table, player }) => endedBy(table, 'resignation', opponent(player)),
  apply: ({ table, player, now }) =>
    finish(table, won(opponent(player), 'resignation'), [logged('resign', player)], now),
  ends: true,
});
