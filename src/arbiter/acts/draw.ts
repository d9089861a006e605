import { opponent } from '../../rules/ruleset.js';
import { withoutDraw } from '../offers.js';
import { decide, drawn, endedBy, finish } from '../state.js';
import { act, logged, offering } from './act.js';
import { condition, offered, running } from './conditions.js';

/** A draw by agreement. */

const fromPly2 = condition(
  'TOO_EARLY_TO_OFFER',
  ({ state, ply }) => (ply ?? state.plyCount) >= 2,
  ({ state }) => `You can offer a draw from ply 2 on; the game is at ply ${state.plyCount}. Offer it later.`,
);

const notRefusedLately = condition(
  'OFFER_TOO_SOON',
  ({ state: { offers }, player }) => offers.refused[player] === 0,
  ({ state: { offers }, player }) => {
    const moves = offers.refused[player];
    return `Your last draw offer was declined. Make ${moves} more ${moves === 1 ? 'move' : 'moves'} before you offer again.`;
  },
);

export const acceptDraw = act({
  name: 'acceptDraw',
  path: 'draw-offer/accept',
  description: 'Accept the draw that your opponent offers.',
  conditions: [...running, offered('draw')],
  done: ({ state }) => endedBy(state, 'agreement'),
  apply: ({ state, player, now }) => finish(state, drawn('agreement'), [logged('acceptDraw', player)], now),
  accepts: 'draw',
  ends: true,
});

export const offerDraw = act({
  name: 'offerDraw',
  path: 'draw-offer',
  description: 'Offer a draw, from ply 2 on. If your opponent has already offered one, this accepts it.',
  conditions: [...running, fromPly2, notRefusedLately],
  becomes: ({ state, player }) =>
    state.offers.draw?.by === opponent(player) || endedBy(state, 'agreement') ? acceptDraw : null,
  done: ({ state, player }) => state.offers.draw?.by === player,
  apply: offering('draw', 'offerDraw'),
  offers: 'draw',
});

export const declineDraw = act({
  name: 'declineDraw',
  path: 'draw-offer/decline',
  description: 'Decline the draw that your opponent offers.',
  conditions: [...running, offered('draw')],
  apply: ({ state, player, now }) =>
    decide(state, { offers: withoutDraw(state.offers, player) }, [logged('declineDraw', player)], now),
  declines: 'draw',
});
