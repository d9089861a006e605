import { opponent, type Player } from '../rules/ruleset.js';
import { reminderOf, type Absence, type Stop } from './clock.js';
import {
  decide,
  drawn,
  ended,
  finish,
  isOver,
  isOverdue,
  reminding,
  resumesAt,
  timeoutFor,
  turnOf,
  type Decision,
  type GameState,
} from './state.js';
import { absenceStops } from './time-control.js';

/** The acts of the clock. They take effect at their own moment, however late they are processed. */

/**
 * What is due next by `now`, or null. A turn that ran out is `flag`, since only the board tells whether it is a loss
 * or a draw.
 */
export function due(state: GameState, now: number): Decision | 'flag' | null {
  if (isOver(state)) return null;
  const last = Math.min(now, state.deadlineAt ?? now);
  const before = earlier(resumption(state, last), vacationEnd(state, last));
  if (before !== null) return before;
  return isOverdue(state, now) ? 'flag' : reminder(state, now);
}

/** The earlier of two, because the log is chronological. */
const earlier = (a: Decision | null, b: Decision | null): Decision | null =>
  a === null || b === null ? (a ?? b) : a.at <= b.at ? a : b;

function resumption(state: GameState, now: number): Decision | null {
  const at = resumesAt(state);
  if (at === null || at > now) return null;
  return decide(state, { status: 'active' }, [{ type: 'resume', player: null }], at);
}

/** The end of a vacation that is used up. */
function vacationEnd(state: GameState, now: number): Decision | null {
  const { first, second } = state.clock.away;
  const player = (first?.until ?? Infinity) <= (second?.until ?? Infinity) ? 'first' : 'second';
  const until = state.clock.away[player]?.until ?? Infinity;
  return until <= now ? finishVacation(state, player, until, true) : null;
}

function reminder(state: GameState, now: number): Decision | null {
  if (state.status !== 'active' || state.turn === null || state.clock.reminded) return null;
  const at = reminderOf(turnOf(state));
  if (at === null || at > now) return null;
  const clock = { ...state.clock, reminded: true };
  return decide(state, { clock }, [{ type: 'reminder', player: state.turn }], now);
}

/** The end of a game whose turn ran out, as of its deadline. */
export function flag(state: GameState, late: Player, canWin: (player: Player) => boolean): Decision {
  const winner = opponent(late);
  return finish(
    state,
    timeoutFor(winner, canWin(winner)),
    [{ type: 'flag', player: late }],
    state.deadlineAt!,
  );
}

/** Ends a game whose client seeds did not come by the deadline, naming those who withheld theirs. */
export const withheld = (
  state: GameState,
  late: readonly { readonly role: string; readonly player: Player }[],
): Decision =>
  finish(
    state,
    drawn('aborted'),
    [
      {
        type: 'flag',
        player: late.length === 1 ? late[0]!.player : null,
        data: { withheld: late.map(({ role }) => role) },
      },
    ],
    state.deadlineAt!,
  );

/** The operator of the server aborts the game, for a reason that the log shows; null when it is over. */
export const adjudicate = (state: GameState, why: string, now: number): Decision | null =>
  isOver(state)
    ? null
    : finish(
        state,
        { winner: null, reason: 'aborted' },
        [{ type: 'adjudicate', player: null, data: { why } }],
        now,
      );

/** Starts a player's vacation; null if the game already knows of it or does not stop its clocks for vacations. */
export function startVacation(
  state: GameState,
  player: Player,
  absence: Absence,
  now: number,
): Decision | null {
  if (state.timeControl.noVacation || isOver(state) || state.turn === null) return null;
  // A vacation called off before it began has no effect.
  if (state.clock.away[player] !== null || absence.until <= absence.from) return null;
  const away = { ...state.clock, away: { ...state.clock.away, [player]: absence } };
  const stops = state.turn === player ? absenceStops(away, player, state.turnStartedAt) : [];
  const isKnown = stops.every((stop) => state.clock.stops.some((known) => covers(known, stop)));
  if (isKnown && absence.until <= now) return null;
  const clock = { ...away, stops: [...away.stops, ...(isKnown ? [] : stops)] };
  const { from, until } = absence;
  const log = [{ type: 'vacationStart', player, instants: { from, until } }] as const;
  const decision = decide(state, { clock: reminding(state, clock, now) }, log, now);
  // If processed late, its end or the deadline may have passed already; both must come after it in the log.
  return { ...decision, at: Math.min(now, until, decision.state.deadlineAt ?? now) };
}

const covers = (known: Stop, stop: Stop): boolean =>
  known.kind === stop.kind &&
  known.from <= stop.from &&
  (known.until ?? Infinity) >= (stop.until ?? Infinity);

/** Ends a player's vacation at `at`, used up or cut short; null if the game knows of none. */
export function finishVacation(
  state: GameState,
  player: Player,
  at: number,
  usedUp: boolean,
): Decision | null {
  if (isOver(state) || state.clock.away[player] === null) return null;
  const stops = state.turn === player && !usedUp ? ended(state, 'vacation', at) : state.clock.stops;
  const clock = { ...state.clock, stops, away: { ...state.clock.away, [player]: null } };
  return decide(
    state,
    { clock: reminding(state, clock, at) },
    [{ type: 'vacationEnd', player, data: { usedUp } }],
    at,
  );
}
