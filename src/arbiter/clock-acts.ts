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

/** What no player does: the clock's own acts, as of its own moments, however late somebody looks. */

/** What is due next by `now`, or null. A turn that ran out is `flag`: what it is worth the board must say. */
export function due(state: GameState, now: number): Decision | 'flag' | null {
  if (isOver(state)) return null;
  const last = Math.min(now, state.deadlineAt ?? now);
  const before = earlier(resumption(state, last), homecoming(state, last));
  if (before !== null) return before;
  return isOverdue(state, now) ? 'flag' : reminder(state, now);
}

/** The log is in the order of time. */
const earlier = (a: Decision | null, b: Decision | null): Decision | null =>
  a === null || b === null ? (a ?? b) : a.at <= b.at ? a : b;

function resumption(state: GameState, now: number): Decision | null {
  const at = resumesAt(state);
  if (at === null || at > now) return null;
  return decide(state, { status: 'active' }, [{ type: 'resume', player: null }], at);
}

/** A vacation that is used up. */
function homecoming(state: GameState, now: number): Decision | null {
  const { first, second } = state.clock.away;
  const player = (first?.until ?? Infinity) <= (second?.until ?? Infinity) ? 'first' : 'second';
  const until = state.clock.away[player]?.until ?? Infinity;
  return until <= now ? comeBack(state, player, until, true) : null;
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

/** The end of a game that has waited for client seeds in vain, as of its deadline, with those who have withheld theirs. */
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

/** A game that whoever runs the server calls off, for a reason that its log tells; null when it is over. */
export const adjudicate = (state: GameState, why: string, now: number): Decision | null =>
  isOver(state)
    ? null
    : finish(
        state,
        { winner: null, reason: 'aborted' },
        [{ type: 'adjudicate', player: null, data: { why } }],
        now,
      );

/** A vacation begins, whoever is to move; null where the game knows of it, or does not allow for it. */
export function goAway(state: GameState, player: Player, absence: Absence, now: number): Decision | null {
  if (state.timeControl.noVacation || isOver(state) || state.turn === null) return null;
  // One that was called off before it began leaves no trace.
  if (state.clock.away[player] !== null || absence.until <= absence.from) return null;
  const away = { ...state.clock, away: { ...state.clock.away, [player]: absence } };
  const stops = state.turn === player ? absenceStops(away, player, state.turnStartedAt) : [];
  const isKnown = stops.every((stop) => state.clock.stops.some((known) => covers(known, stop)));
  if (isKnown && absence.until <= now) return null;
  const clock = { ...away, stops: [...away.stops, ...(isKnown ? [] : stops)] };
  const { from, until } = absence;
  const log = [{ type: 'vacationStart', player, instants: { from, until } }] as const;
  const decision = decide(state, { clock: reminding(state, clock, now) }, log, now);
  // Heard of late: its end, and the deadline, may have passed already, and come behind it in the log.
  return { ...decision, at: Math.min(now, until, decision.state.deadlineAt ?? now) };
}

const covers = (known: Stop, stop: Stop): boolean =>
  known.kind === stop.kind &&
  known.from <= stop.from &&
  (known.until ?? Infinity) >= (stop.until ?? Infinity);

/** A vacation is over at `at`: used up, or ended before; null where the game knows of none. */
export function comeBack(state: GameState, player: Player, at: number, usedUp: boolean): Decision | null {
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
