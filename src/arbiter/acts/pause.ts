import { opponent, type Player } from '../../rules/ruleset.js';
import { secondsBefore, type Clock, type Stop } from '../clock.js';
import { decide, ended, reminding, resumesAt, type GameState } from '../state.js';
import { act, declining, logged, offering } from './act.js';
import { condition, offered, playing, running } from './conditions.js';

/** Pauses by agreement. The clocks stop, and neither player may move. */

const NOTICE_MS = 24 * 3_600_000;

const paused = condition(
  'GAME_NOT_PAUSED',
  ({ state }) => state.status === 'paused',
  'The game is not paused, so there is no pause to end.',
);

const withStop = (clock: Clock, stop: Stop): Clock => ({ ...clock, stops: [...clock.stops, stop] });

export const acceptPause = act({
  name: 'acceptPause',
  path: 'pause/accept',
  description: 'Accept the pause that your opponent offers: the clocks stand still, and nobody moves.',
  conditions: [...playing, offered('pause')],
  apply: ({ state, player, now }) => {
    const from = secondsBefore(state.turnStartedAt, now);
    const offers = { ...state.offers, pause: null };
    const clock = withStop(state.clock, { kind: 'pause', from, until: null });
    return decide(state, { status: 'paused', clock, offers }, [logged('acceptPause', player)], now);
  },
  accepts: 'pause',
  logsDeadline: true,
});

export const offerPause = act({
  name: 'offerPause',
  path: 'pause',
  description: 'Offer a pause. If your opponent has already offered one, this accepts it.',
  conditions: playing,
  becomes: ({ state, player }) => (state.offers.pause?.by === opponent(player) ? acceptPause : null),
  done: ({ state, player }) => state.offers.pause?.by === player,
  apply: offering('pause', 'offerPause'),
  offers: 'pause',
});

export const declinePause = act({
  name: 'declinePause',
  path: 'pause/decline',
  description: 'Decline the pause that your opponent offers.',
  conditions: [...playing, offered('pause')],
  apply: declining('pause', 'declinePause'),
  declines: 'pause',
});

/** The player who gave notice to end the last pause. */
const noticeIn = ({ clock }: GameState): Player | null =>
  clock.stops.findLast(({ kind }) => kind === 'pause')?.notice ?? null;

/** Gives notice to end the pause. If the opponent has already done so, play resumes at once. */
export const unpause = act({
  name: 'unpause',
  path: 'unpause',
  description: 'End the pause with 24 hours’ notice, or at once if your opponent has already given notice.',
  conditions: [...running, paused],
  done: ({ state, player }) => state.status === 'paused' && noticeIn(state) === player,
  apply: ({ state, player, now }) => {
    const notice = noticeIn(state);
    const resumes = notice === null ? now + NOTICE_MS : now;
    const clock = { ...state.clock, stops: ended(state, 'pause', resumes, player) };
    const status = notice === null ? 'paused' : 'active';
    // Clocks resume at a whole second.
    const goesOnAt = resumesAt({ ...state, status, clock }) ?? now;
    const log = [logged('unpause', player, { instants: { resumesAt: goesOnAt } })];
    return decide(state, { status, clock: reminding(state, clock, now) }, log, now);
  },
  notifies: { notice: 'pauseEnding', with: ['resumesAt'] },
  logsDeadline: true,
});
