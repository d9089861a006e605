import { opponent } from '../../rules/ruleset.js';
import { leftAt, roomFor } from '../clock.js';
import { decide, reminding, turnOf, type Decision, type GameState } from '../state.js';
import { giftOf } from '../time-control.js';
import { act, declining, logged, offering } from './act.js';
import {
  condition,
  nextPly,
  notDecided,
  notOnMove,
  offered,
  onMove,
  playing,
  running,
  sameVersion,
} from './conditions.js';
import { plyField } from './input.js';
import type { Situation } from './situation.js';

/** Time for the opponent's turn: given, or asked for. */

const hasClock = condition(
  'NO_CLOCK',
  ({ state }) => giftOf(state.timeControl) !== null,
  'The game has no time control: there is no time to give.',
);

/** As many seconds as the clock can still hold. */
function room(state: GameState, now: number): number {
  const turn = turnOf(state);
  const { timeControl } = state;
  const most = timeControl.type === 'bank' ? timeControl.cap - (leftAt(turn, now) ?? 0) : Infinity;
  return roomFor(turn, Math.min(giftOf(timeControl)!, most));
}

const hasRoom = condition(
  'TIME_CEILING',
  ({ state, now }) => room(state, now) >= 1,
  'The clock cannot hold more time.',
);

/** One more turn's time, as far as the clock can hold it; whoever asked for it has been answered. */
function give({ state, player, now }: Situation, name: string): Decision {
  const given = room(state, now);
  const clock = reminding(state, { ...state.clock, given }, now);
  const offers = { ...state.offers, time: null };
  return decide(state, { clock, offers }, [logged(name, player, { data: { seconds: given } })], now);
}

export const giveTime = act({
  name: 'giveTime',
  path: 'time',
  description: 'Give your opponent, who is to move, the time of one more turn; once in a turn.',
  input: {
    ply: plyField(
      'The number of the ply that gets the time, plyCount + 1; sent again for the same ply it gives nothing more.',
      12,
    ),
  },
  conditions: [notDecided, ...playing, nextPly, hasClock, notOnMove, sameVersion, hasRoom],
  // Once in a turn, so that a request that is sent again gives nothing more.
  done: ({ state, player, ply }) =>
    state.clock.given > 0 && state.turn === opponent(player) && ply === state.plyCount + 1,
  apply: (situation) => give(situation, 'giveTime'),
  tells: { notice: 'timeGiven', with: ['seconds', 'deadlineAt'], untilMoved: true },
  proposals: ({ state }) => [{ ply: state.plyCount + 1 }],
  samples: ({ state }) => [{ ply: state.plyCount + 1 }, { ply: state.plyCount + 2 }, { ply: 1 }],
  tellsDeadline: true,
});

const holdsMore = condition(
  'TIME_CEILING',
  ({ state, now }) => state.clock.given === 0 && room(state, now) >= 1,
  'This turn cannot be given more time.',
);

export const requestTime = act({
  name: 'requestTime',
  path: 'time-request',
  description: 'Ask your opponent for the time of one more turn, when you are to move; once in a turn.',
  conditions: [...playing, hasClock, onMove, holdsMore],
  done: ({ state, player }) => state.offers.time?.by === player,
  apply: offering('time', 'requestTime'),
  offers: 'time',
});

export const acceptTimeRequest = act({
  name: 'acceptTimeRequest',
  path: 'time-request/accept',
  description: 'Accept your opponent’s request for time.',
  conditions: [...playing, offered('time', 'request for time'), sameVersion, hasRoom],
  apply: (situation) => give(situation, 'acceptTimeRequest'),
  accepts: 'time',
  tellsDeadline: true,
});

export const declineTimeRequest = act({
  name: 'declineTimeRequest',
  path: 'time-request/decline',
  description: 'Decline your opponent’s request for time.',
  conditions: [...running, offered('time', 'request for time')],
  apply: declining('time', 'declineTimeRequest'),
  declines: 'time',
});
