import type { Player } from '../rules/ruleset.js';

/**
 * The arithmetic of turns. Instants are milliseconds since 1970 (UTC); durations and times within a turn are whole
 * seconds from its start. A second that a stop touches does not count. See docs/playing.md, "Time", and
 * docs/fairness.md, "The clock".
 */

const DAY = 86_400;
/** The longest turn. It keeps running in vacations, but not in pauses. */
export const CEILING_SECONDS = 60 * DAY;
/** After a turn of this length a game without a time control can be claimed as abandoned. */
export const ABANDONED_SECONDS = 30 * DAY;
const REMINDER_PERCENT = 80;

/** An interval of a turn in which its clock is stopped. */
export interface Stop {
  readonly kind: 'vacation' | 'pause';
  /** Seconds from the start of the turn. */
  readonly from: number;
  /** Null as long as it is not known. */
  readonly until: number | null;
  /** The player who gave notice to end the pause. */
  readonly notice?: Player;
}

/** A vacation that has begun; instants. */
export interface Absence {
  readonly from: number;
  readonly until: number;
}

/** The facts from which, with the start of the turn, all times follow. */
export interface Clock {
  /** The seconds of the player to move for this turn; null without a time control and before the game starts. */
  readonly allowance: number | null;
  /** The seconds that the opponent has added in this turn. */
  readonly given: number;
  readonly stops: readonly Stop[];
  /** True if the reminder of this turn has been sent. */
  readonly reminded: boolean;
  /** The seconds each player had left after their last turn; null if nothing is carried over. */
  readonly bank: Readonly<Record<Player, number>> | null;
  readonly away: Readonly<Record<Player, Absence | null>>;
}

/** A turn: when it began, and its clock. */
export interface Turn {
  readonly startedAt: number;
  readonly clock: Clock;
}

/** The seconds of a turn begun by this instant; never negative, although the clocks of servers differ. */
export const secondsBefore = (startedAt: number, instant: number): number =>
  Math.max(0, Math.floor((instant - startedAt) / 1000));

/** The first whole second of a turn at or after this instant. */
export const secondsBehind = (startedAt: number, instant: number): number =>
  Math.max(0, Math.ceil((instant - startedAt) / 1000));

/** The second at which the turn has run for `seconds` without stops; null if an open-ended stop comes first. */
function whenRun(stops: readonly Stop[], seconds: number): number | null {
  let left = seconds;
  let at = 0;
  for (const { from, until } of inOrder(stops)) {
    if (from > at) {
      if (from - at >= left) break;
      left -= from - at;
    }
    if (until === null) return null;
    at = Math.max(at, until);
  }
  return at + left;
}

/** How many of its first `seconds` the turn has run. */
function run(stops: readonly Stop[], seconds: number): number {
  let stood = 0;
  let behind = 0;
  for (const { from, until } of inOrder(stops)) {
    const end = Math.min(until ?? seconds, seconds);
    stood += Math.max(0, end - Math.max(from, behind));
    behind = Math.max(behind, end);
  }
  return Math.max(0, seconds - stood);
}

const inOrder = (stops: readonly Stop[]): readonly Stop[] => [...stops].sort((a, b) => a.from - b.from);

const pauses = (stops: readonly Stop[]): readonly Stop[] => stops.filter(({ kind }) => kind === 'pause');

/** The second in which a turn of `seconds` ends, at the ceiling at the latest; null as long as it is not known. */
function end(stops: readonly Stop[], seconds: number): number | null {
  const own = whenRun(stops, seconds);
  const ceiling = whenRun(pauses(stops), CEILING_SECONDS);
  return own === null || ceiling === null ? (own ?? ceiling) : Math.min(own, ceiling);
}

const allowed = ({ allowance, given }: Clock): number | null =>
  allowance === null ? null : allowance + given;

const secondsOf = ({ clock }: Turn): number | null => {
  const seconds = allowed(clock);
  return seconds === null ? null : end(clock.stops, seconds);
};

const instantOf = ({ startedAt }: Turn, seconds: number | null): number | null =>
  seconds === null ? null : startedAt + seconds * 1000;

/** When the turn runs out; null without a time control, and while a pause has no end. */
export const deadlineOf = (turn: Turn): number | null => instantOf(turn, secondsOf(turn));

/** When a turn without a time control counts as abandoned; null while a pause has no end. */
export const abandonedAt = (turn: Turn): number | null =>
  instantOf(turn, end(turn.clock.stops, ABANDONED_SECONDS));

/** When the player is reminded that most of the time is used; null if there is no such moment. */
export function reminderOf(turn: Turn): number | null {
  const { stops } = turn.clock;
  const last = secondsOf(turn);
  if (last === null) return null;
  const all = run(stops, last);
  const most = Math.ceil((all * REMINDER_PERCENT) / 100);
  return most < all ? instantOf(turn, whenRun(stops, most)) : null;
}

/** The seconds for which the clock of the turn has run. */
export const usedAt = ({ startedAt, clock }: Turn, now: number): number =>
  run(clock.stops, secondsBefore(startedAt, now));

/** The seconds that the player to move has left, in a pause as if it ended now; null without a time control. */
export function leftAt({ startedAt, clock }: Turn, now: number): number | null {
  const seconds = allowed(clock);
  if (seconds === null) return null;
  const gone = secondsBefore(startedAt, now);
  const stops = clock.stops.map((stop) => ({ ...stop, until: stop.until ?? Math.max(stop.from, gone) }));
  // Every stop has an end here, so the turn has one.
  return Math.max(0, run(stops, end(stops, seconds)!) - run(stops, gone));
}

/** How many of `gift` seconds can be added to a turn before it reaches the ceiling. */
export function addableSeconds(turn: Turn, gift: number): number {
  const { stops } = turn.clock;
  const seconds = allowed(turn.clock) ?? 0;
  const ceiling = whenRun(pauses(stops), CEILING_SECONDS);
  return ceiling === null ? gift : Math.max(0, Math.min(gift, run(stops, ceiling) - seconds));
}

export const SEGMENT_KINDS = ['turnStarted', 'allowance', 'given', 'vacation', 'pause', 'ceiling'] as const;

/** One part of the time from the start of a turn to its deadline; together they add up to it. */
export interface Segment {
  readonly kind: (typeof SEGMENT_KINDS)[number];
  /** The instant when it began; null for a mere duration. */
  readonly from: number | null;
  readonly until: number | null;
  /** Null for an open-ended pause. Negative for the ceiling, which shortens the turn. */
  readonly seconds: number | null;
}

/** How the deadline is composed; empty without a time control. */
export function explain(turn: Turn): readonly Segment[] {
  const { startedAt, clock } = turn;
  if (clock.allowance === null) return [];
  const last = secondsOf(turn);
  const stops = clock.stops.filter(({ from }) => last === null || from < last);
  const own = whenRun(stops, clock.allowance + clock.given);
  const cut = own === null || last === null ? 0 : last - own;
  return [
    { kind: 'turnStarted', from: startedAt, until: null, seconds: 0 },
    { kind: 'allowance', from: null, until: null, seconds: clock.allowance },
    ...(clock.given > 0 ? [duration('given', clock.given)] : []),
    ...standing(turn, stops),
    ...(cut < 0 ? [duration('ceiling', cut)] : []),
  ];
}

const duration = (kind: Segment['kind'], seconds: number): Segment => ({
  kind,
  from: null,
  until: null,
  seconds,
});

/** Of two overlapping stops the second counts only for what it adds. */
function standing(turn: Turn, stops: readonly Stop[]): readonly Segment[] {
  const segments: Segment[] = [];
  let behind = 0;
  for (const { kind, from, until } of inOrder(stops)) {
    const adds = until === null ? null : until - Math.max(from, behind);
    if (adds !== null && adds <= 0) continue;
    segments.push({ kind, from: instantOf(turn, from), until: instantOf(turn, until), seconds: adds });
    behind = Math.max(behind, until ?? behind);
  }
  return segments;
}
