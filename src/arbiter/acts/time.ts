import { opponent } from '../../rules/ruleset.js';
import { leftAt, addableSeconds } from '../clock.js';
import { decide, reminding, turnOf, type Decision, type GameState } from '../state.js';
import { giveableSeconds } from '../time-control.js';
import { act, declining, logged, offering } from './act.js';
import {
  condition,
  nextPly,
  notDecided,
  opponentsTurn,
  offered,
  playersTurn,
  playing,
  running,
  sameVersion,
} from './conditions.js';
import { plyField } from './input.js';
import type { Situation } from './situation.js';

/** Time for the opponent's turn: given, or asked for. */

const hasClock = condition(
  'NO_CLOCK',
  ({ state }) => giveableSeconds(state.timeControl) !== null,
  'This game has no time control, so no time can be given or asked for.',
);

/** How many more seconds the clock can hold. */
function secondsToAdd(state: GameState, now: number): number {
  const turn = turnOf(state);
  const { timeControl } = state;
  const most = timeControl.type === 'bank' ? timeControl.cap - (leftAt(turn, now) ?? 0) : Infinity;
  return addableSeconds(turn, Math.min(giveableSeconds(timeControl)!, most));
}

const canAddTime = condition(
  'TIME_CEILING',
  ({ state, now }) => secondsToAdd(state, now) >= 1,
  'The clock of this turn already holds as much time as it can, so none can be added.',
);

/** Adds the time of one turn, as far as the clock can hold it, and closes an open request. */
function give({ state, player, now }: Situation, name: string): Decision {
  const given = secondsToAdd(state, now);
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
  conditions: [notDecided, ...playing, nextPly, hasClock, opponentsTurn, sameVersion, canAddTime],
  // Only once in a turn, so that a repeated request gives nothing more.
  done: ({ state, player, ply }) =>
    state.clock.given > 0 && state.turn === opponent(player) && ply === state.plyCount + 1,
  apply: (situation) => give(situation, 'giveTime'),
  notifies: { notice: 'timeGiven', with: ['seconds', 'deadlineAt'], untilMoved: ({ given }) => given > 0 },
  proposals: ({ state }) => [{ ply: state.plyCount + 1 }],
  samples: ({ state }) => [{ ply: state.plyCount + 1 }, { ply: state.plyCount + 2 }, { ply: 1 }],
  logsDeadline: true,
});

const canAskForTime = condition(
  'TIME_CEILING',
  ({ state, now }) => state.clock.given === 0 && secondsToAdd(state, now) >= 1,
  ({ state }) =>
    state.clock.given > 0
      ? 'This turn has already been given more time; that is possible only once in a turn.'
      : 'The clock of this turn already holds as much time as it can, so none can be added.',
);

export const requestTime = act({
  name: 'requestTime',
  path: 'time-request',
  description: 'Ask your opponent for the time of one more turn, when you are to move; once in a turn.',
  conditions: [...playing, hasClock, playersTurn, canAskForTime],
  done: ({ state, player }) => state.offers.time?.by === player,
  apply: offering('time', 'requestTime'),
  offers: 'time',
});

export const acceptTimeRequest = act({
  name: 'acceptTimeRequest',
  path: 'time-request/accept',
  description: 'Accept your opponent’s request for time.',
  conditions: [...playing, offered('time'), sameVersion, canAddTime],
  apply: (situation) => give(situation, 'acceptTimeRequest'),
  accepts: 'time',
  logsDeadline: true,
});

export const declineTimeRequest = act({
  name: 'declineTimeRequest',
  path: 'time-request/decline',
  description: 'Decline your opponent’s request for time.',
  conditions: [...running, offered('time')],
  apply: declining('time', 'declineTimeRequest'),
  declines: 'time',
});
