import { opponent, type Player } from '../../rules/ruleset.js';
import { lapsing, NO_OFFERS, OFFER_KINDS, type Offers } from '../offers.js';
import { decide, withTurn, type LogEntry, type GameState } from '../state.js';
import { act, declining, logged } from './act.js';
import { condition, offered, playing, running } from './conditions.js';
import type { Situation } from './situation.js';

/** Moves taken back by agreement, in casual games. */

/**
 * The ply to which a takeback returns: that before the asker's own last one. Source: the design of play, "Conduct":
 * one ply if the asker is not to move, else two.
 */
const takebackPly = ({ state, player, lastOwnPly }: Situation): number =>
  (lastOwnPly ?? state.plyCount - (state.turn === player ? 1 : 0)) - 1;

const casual = condition('RATED_GAME', ({ state }) => !state.rated, 'In a rated game nothing is taken back.');

const somethingPlayed = condition(
  'NOTHING_TO_TAKE_BACK',
  (situation) => takebackPly(situation) >= 0,
  'There is no move of yours among the last two plies: nothing can be taken back.',
);

const nothingTurnedUp = condition(
  'PIECE_TURNED_UP',
  (situation) => (situation.lastTurnUp ?? 0) <= takebackPly(situation),
  'A piece that was turned up has been seen: no takeback goes behind it.',
);

/** Who asks for another takeback has answered the one that he was asked for. */
const counter = ({ offers }: GameState, player: Player): readonly LogEntry[] =>
  offers.takeback?.by === opponent(player) ? [logged('declineTakeback', player)] : [];

export const offerTakeback = act({
  name: 'offerTakeback',
  path: 'takeback',
  description: 'Ask to take back your last move, in a casual game.',
  needs: ['lastTurnUp', 'lastOwnPly'],
  conditions: [...playing, casual, somethingPlayed, nothingTurnedUp],
  done: ({ state, player }) => state.offers.takeback?.by === player,
  apply: (situation) => {
    const { state, player, now } = situation;
    const ply = takebackPly(situation);
    const offers = { ...state.offers, takeback: { by: player, at: now, ply } };
    const log = [...counter(state, player), logged('offerTakeback', player, { data: { ply } })];
    return decide(state, { offers }, log, now);
  },
  offers: 'takeback',
});

/** All other offers were made in the game that is taken back. */
const lapsed = (offers: Offers): readonly LogEntry[] =>
  lapsing(
    offers,
    OFFER_KINDS.filter((kind) => kind !== 'takeback'),
  ).map(({ offer, declined }) => logged(declined, opponent(offer.by), { data: { byTakeback: true } }));

export const acceptTakeback = act({
  name: 'acceptTakeback',
  path: 'takeback/accept',
  description: 'Accept the takeback that your opponent asks for.',
  needs: ['earlier'],
  conditions: [...playing, offered('takeback', 'takeback')],
  apply: ({ state, player, now, earlier }) => {
    const { ply } = state.offers.takeback!;
    const { turn, bank } = earlier!;
    const takebacks = [...state.takebacks, { seq: state.version + 1, ply }];
    const offers = { ...NO_OFFERS, refused: state.offers.refused };
    const back = { ...state, plyCount: ply, takebacks, offers, clock: { ...state.clock, bank } };
    const log = [logged('acceptTakeback', player, { data: { ply } }), ...lapsed(state.offers)];
    return { state: withTurn(back, turn, now), log, at: now, returnsTo: ply };
  },
  accepts: 'takeback',
  tellsDeadline: true,
});

export const declineTakeback = act({
  name: 'declineTakeback',
  path: 'takeback/decline',
  description: 'Decline the takeback that your opponent asks for.',
  conditions: [...running, offered('takeback', 'takeback')],
  apply: declining('takeback', 'declineTakeback'),
  declines: 'takeback',
});
