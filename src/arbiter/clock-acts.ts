import { opponent, type Player } from '../rules/ruleset.js';
import { reminderOf, type Absence, type Stop } from './clock.js';
import {
  decide,
  ended,
  finish,
  isOver,
  isOverdue,
  reminding,
  resumesAt,
  timeoutFor,
  turnOf,
  type Decision,
  type Table,
} from './table.js';
import { absenceStops } from './time-control.js';

/** What no player does: the clock's own acts, as of its own moments, however late somebody looks. */

/** What is due next by `now`, or null. A turn that ran out is `flag`: what it is worth the board must say. */
export function due(table: Table, now: number): Decision | 'flag' | null {
  if (isOver(table)) return null;
  const last = Math.min(now, table.deadlineAt ?? now);
  const before = earlier(resumption(table, last), homecoming(table, last));
  if (before !== null) return before;
  return isOverdue(table, now) ? 'flag' : reminder(table, now);
}

/** The log is in the order of time. */
const earlier = (a: Decision | null, b: Decision | null): Decision | null =>
  a === null || b === null ? (a ?? b) : a.at <= b.at ? a : b;

function resumption(table: Table, now: number): Decision | null {
  const at = resumesAt(table);
  if (at === null || at > now) return null;
  return decide(table, { status: 'active' }, [{ type: 'resume', player: null }], at);
}

/** A vacation that is used up. */
function homecoming(table: Table, now: number): Decision | null {
  const { first, second } = table.clock.away;
  const player = (first?.until ?? Infinity) <= (second?.until ?? Infinity) ? 'first' : 'second';
  const until = table.clock.away[player]?.until ?? Infinity;
  return until <= now ? comeBack(table, player, until, true) : null;
}

function reminder(table: Table, now: number): Decision | null {
  if (table.status !== 'active' || table.turn === null || table.clock.reminded) return null;
  const at = reminderOf(turnOf(table));
  if (at === null || at > now) return null;
  const clock = { ...table.clock, reminded: true };
  return decide(table, { clock }, [{ type: 'reminder', player: table.turn }], now);
}

/** The end of a game whose turn ran out, as of its deadline. While nobody is to move it is the creator who is late. */
export function flag(table: Table, creator: Player, canWin: (player: Player) => boolean): Decision {
  const late = table.turn ?? creator;
  const winner = opponent(late);
  const outcome =
    table.turn === null ? ({ winner: null, reason: 'aborted' } as const) : timeoutFor(winner, canWin(winner));
  return finish(table, outcome, [{ type: 'flag', player: late }], table.deadlineAt!);
}

/** A game that whoever runs the server calls off, for a reason that its log tells; null when it is over. */
export const adjudicate = (table: Table, why: string, now: number): Decision | null =>
  isOver(table)
    ? null
    : finish(
        table,
        { winner: null, reason: 'aborted' },
        [{ type: 'adjudicate', player: null, data: { why } }],
        now,
      );

/** A vacation begins, whoever is to move; null where the game knows of it, or does not allow for it. */
export function goAway(table: Table, player: Player, absence: Absence, now: number): Decision | null {
  if (table.timeControl.noVacation || isOver(table) || table.turn === null) return null;
  // One that was called off before it began leaves no trace.
  if (table.clock.away[player] !== null || absence.until <= absence.from) return null;
  const away = { ...table.clock, away: { ...table.clock.away, [player]: absence } };
  const stops = table.turn === player ? absenceStops(away, player, table.turnStartedAt) : [];
  const isKnown = stops.every((stop) => table.clock.stops.some((known) => covers(known, stop)));
  if (isKnown && absence.until <= now) return null;
  const clock = { ...away, stops: [...away.stops, ...(isKnown ? [] : stops)] };
  const { from, until } = absence;
  const log = [{ type: 'vacationStart', player, instants: { from, until } }] as const;
  const decision = decide(table, { clock: reminding(table, clock, now) }, log, now);
  // Heard of late: its end, and the deadline, may have passed already, and come behind it in the log.
  return { ...decision, at: Math.min(now, until, decision.table.deadlineAt ?? now) };
}

const covers = (known: Stop, stop: Stop): boolean =>
  known.kind === stop.kind &&
  known.from <= stop.from &&
  (known.until ?? Infinity) >= (stop.until ?? Infinity);

/** A vacation is over at `at`: used up, or ended before; null where the game knows of none. */
export function comeBack(table: Table, player: Player, at: number, usedUp: boolean): Decision | null {
  if (isOver(table) || table.clock.away[player] === null) return null;
  const stops = table.turn === player && !usedUp ? ended(table, 'vacation', at) : table.clock.stops;
  const clock = { ...table.clock, stops, away: { ...table.clock.away, [player]: null } };
  return decide(
    table,
    { clock: reminding(table, clock, at) },
    [{ type: 'vacationEnd', player, data: { usedUp } }],
    at,
  );
}
