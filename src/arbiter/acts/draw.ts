import { opponent } from '../../rules/ruleset.js';
import { withoutDraw } from '../offers.js';
import { decide, drawn, endedBy, finish } from '../state.js';
import { act, logged, offering } from './act.js';
import { offered, running, unless, type Condition } from './conditions.js';

/** A draw by agreement. */

const fromPly2: Condition = ({ state, ply }) =>
  unless((ply ?? state.plyCount) >= 2, 'TOO_EARLY_TO_OFFER', 'A draw may be offered from ply 2 on.');

const notRefusedLately: Condition = ({ state: { offers }, player }) => {
  const moves = offers.refused[player];
  const words = `Your last offer was refused: make ${moves} more ${moves === 1 ? 'move' : 'moves'} before the next one.`;
  return unless(moves === 0, 'OFFER_TOO_SOON', words);
};

export const acceptDraw = act({
  name: 'acceptDraw',
  path: 'draw-offer/accept',
  description: 'Accepts the draw that your opponent offers.',
  conditions: [...running, offered('draw', 'draw')],
  done: ({ state }) => endedBy(state, 'agreement'),
  apply: ({ state, player, now }) => finish(state, drawn('agreement'), [logged('acceptDraw', player)], now),
  accepts: 'draw',
  ends: true,
});

export const offerDraw = act({
  name: 'offerDraw',
  path: 'draw-offer',
  description: 'Offers a draw, from ply 2 on; to somebody who has offered one it is the acceptance.',
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
  description: 'Declines the draw that your opponent offers.',
  conditions: [...running, offered('draw', 'draw')],
  apply: ({ state, player, now }) =>
    decide(state, { offers: withoutDraw(state.offers, player) }, [logged('declineDraw', player)], now),
  declines: 'draw',
});
