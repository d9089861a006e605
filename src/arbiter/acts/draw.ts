import { opponent } from '../../rules/ruleset.js';
import { withoutDraw } from '../offers.js';
import { decide, drawn, endedBy, finish } from '../table.js';
import { act, logged } from './act.js';
import { offered, running, unless, type Condition } from './conditions.js';

/** A draw by agreement. */

const fromPly2: Condition = ({ table, ply }) =>
  unless((ply ?? table.plyCount) >= 2, 'TOO_EARLY_TO_OFFER', 'A draw may be offered from ply 2 on.');

const notRefusedLately: Condition = ({ table: { offers }, player }) => {
  const moves = offers.refused[player];
  const words = `Your last offer was refused: make ${moves} more ${moves === 1 ? 'move' : 'moves'} before the next one.`;
  return unless(moves === 0, 'OFFER_TOO_SOON', words);
};

export const acceptDraw = act({
  name: 'acceptDraw',
  path: 'draw-offer/accept',
  description: 'Accepts the draw that your opponent offers.',
  conditions: [...running, offered('draw', 'draw')],
  done: ({ table }) => endedBy(table, 'agreement'),
  apply: ({ table, player, now }) => finish(table, drawn('agreement'), [logged('acceptDraw', player)], now),
  accepts: 'draw',
  ends: true,
});

export const offerDraw = act({
  name: 'offerDraw',
  path: 'draw-offer',
  description: 'Offers a draw, from ply 2 on; to somebody who has offered one it is the acceptance.',
  conditions: [...running, fromPly2, notRefusedLately],
  becomes: ({ table, player }) =>
    table.offers.draw?.by === opponent(player) || endedBy(table, 'agreement') ? acceptDraw : null,
  done: ({ table, player }) => table.offers.draw?.by === player,
  apply: ({ table, player, now }) => {
    const offers = { ...table.offers, draw: { by: player, at: now } };
    return decide(table, { offers }, [logged('offerDraw', player)], now);
  },
  offers: 'draw',
});

export const declineDraw = act({
  name: 'declineDraw',
  path: 'draw-offer/decline',
  description: 'Declines the draw that your opponent offers.',
  conditions: [...running, offered('draw', 'draw')],
  apply: ({ table, player, now }) =>
    decide(table, { offers: withoutDraw(table.offers, player) }, [logged('declineDraw', player)], now),
  declines: 'draw',
});
