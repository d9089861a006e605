import { opponent, type Player } from '../../rules/ruleset.js';
import { lapsing, NO_OFFERS, OFFER_KINDS, type Offers } from '../offers.js';
import { decide, withTurn, type LogEntry, type GameState } from '../state.js';
import { act, declining, logged } from './act.js';
import { condition, offered, playing, running } from './conditions.js';
import type { Situation } from './situation.js';

/** Moves taken back by agreement, in casual games. */

/** The ply to which a takeback returns: one back if the asker is not to move, else two. See docs/playing.md, "Takebacks". */
const takebackPly = ({ state, player, lastOwnPly }: Situation): number =>
  (lastOwnPly ?? state.plyCount - (state.turn === player ? 1 : 0)) - 1;

const casual = condition(
  'RATED_GAME',
  ({ state }) => !state.rated,
  'Takebacks are not possible in rated games, and this game is rated.',
);

const somethingPlayed = condition(
  'NOTHING_TO_TAKE_BACK',
  (situation) => takebackPly(situation) >= 0,
  'You have nothing to take back: neither of the last two plies is yours.',
);

const nothingTurnedUp = condition(
  'PIECE_TURNED_UP',
  (situation) => (situation.lastTurnUp ?? 0) <= takebackPly(situation),
  'This takeback would undo the turning up of a piece, which both players have seen.',
);

/** Asking for a takeback declines the opponent's open one. */
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

/** All other offers lapse, since they were made in the part that is taken back. */
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
  conditions: [...playing, offered('takeback')],
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
  logsDeadline: true,
});

export const declineTakeback = act({
  name: 'declineTakeback',
  path: 'takeback/decline',
  description: 'Decline the takeback that your opponent asks for.',
  conditions: [...running, offered('takeback')],
  apply: declining('takeback', 'declineTakeback'),
  declines: 'takeback',
});
