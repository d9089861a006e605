import { accept, refuse, type Result } from '../rules/result.js';
import type { Player } from '../rules/ruleset.js';
import { CEILING_SECONDS, secondsBefore, secondsBehind, type Clock, type Stop } from './clock.js';

/** What two players agree on about time. Durations are whole seconds. */

export const MIN_MOVE_SECONDS = 60;
export const MAX_MOVE_SECONDS = CEILING_SECONDS;

/** How long a game waits for what must come before its first ply, a client seed: no shorter and no longer than this. */
const PATIENCE_SECONDS = { least: 3600, most: 3 * 86_400 };

export const TIME_CONTROL_TYPES = ['perMove', 'bank', 'none'] as const;

export type TimeControl = (
  | { readonly type: 'perMove'; readonly seconds: number }
  /** `increment` is added with each move, and the bank is never above `cap`. */
  | { readonly type: 'bank'; readonly initial: number; readonly increment: number; readonly cap: number }
  | { readonly type: 'none' }
) & {
  /** Do the clocks run on through vacations? */
  readonly noVacation?: true;
};

/** A time control as it comes in. */
export interface GivenTimeControl {
  readonly type: string;
  readonly seconds?: number | null | undefined;
  readonly initial?: number | null | undefined;
  readonly increment?: number | null | undefined;
  readonly cap?: number | null | undefined;
  readonly noVacation?: boolean | null | undefined;
}

/** A time control from its parts, or what is wrong with them. */
export function makeTimeControl(given: GivenTimeControl): Result<TimeControl> {
  const made =
    makers[given.type]?.(given) ?? bad(`The time control is one of ${TIME_CONTROL_TYPES.join(', ')}.`);
  return made.ok && given.noVacation === true ? accept({ ...made.value, noVacation: true }) : made;
}

const bad = (message: string): Result<never> => refuse('INVALID_TIME_CONTROL', 'timeControl', message);

type Maker = (given: GivenTimeControl) => Result<TimeControl>;

const makers: Readonly<Record<string, Maker>> = Object.assign(Object.create(null), {
  perMove: ({ seconds, initial, increment, cap }) => {
    if (!allAbsent(initial, increment, cap)) return bad('A time for each move has seconds alone: no bank.');
    return isWithin(seconds, MIN_MOVE_SECONDS, MAX_MOVE_SECONDS)
      ? accept({ type: 'perMove', seconds })
      : bad(`A move takes from ${MIN_MOVE_SECONDS} (a minute) to ${MAX_MOVE_SECONDS} seconds (60 days).`);
  },
  bank: ({ seconds, initial, increment, cap }) => {
    if (!allAbsent(seconds)) return bad('A bank has initial, increment and cap, no seconds.');
    if (!isWithin(initial, MIN_MOVE_SECONDS, MAX_MOVE_SECONDS)) {
      return bad(
        `A bank begins with ${MIN_MOVE_SECONDS} (a minute) to ${MAX_MOVE_SECONDS} seconds (60 days): initial.`,
      );
    }
    const most = cap ?? initial;
    if (!isWithin(most, initial, MAX_MOVE_SECONDS)) {
      return bad(`The cap of a bank is from its initial seconds to ${MAX_MOVE_SECONDS} (60 days).`);
    }
    const added = increment ?? 0;
    if (!isWithin(added, 0, most)) return bad('The increment of a bank is from 0 seconds to its cap.');
    return accept({ type: 'bank', initial, increment: added, cap: most });
  },
  none: ({ seconds, initial, increment, cap }) =>
    allAbsent(seconds, initial, increment, cap)
      ? accept({ type: 'none' })
      : bad('A game without a time control has no seconds.'),
} satisfies Record<string, Maker>) as Readonly<Record<string, Maker>>;

const allAbsent = (...parts: readonly (number | null | undefined)[]): boolean =>
  parts.every((part) => part == null);

const isWithin = (value: number | null | undefined, min: number, max: number): value is number =>
  Number.isInteger(value) && value! >= min && value! <= max;

/** When a game that waits for a client seed is given up. */
export function seedDeadline(control: TimeControl, from: number): number {
  const { least, most } = PATIENCE_SECONDS;
  return from + Math.max(least, Math.min(turnSeconds(control) ?? most, most)) * 1000;
}

/** The seconds of a first turn; null without a time control. */
function turnSeconds(control: TimeControl): number | null {
  if (control.type === 'none') return null;
  return control.type === 'perMove' ? control.seconds : control.initial;
}

/** What the opponent may add to a turn: as much as a turn has, or what a bank gains by a move. */
export function giftOf(control: TimeControl): number | null {
  return control.type === 'bank' && control.increment > 0 ? control.increment : turnSeconds(control);
}

/** The clock of a game in which nobody is to move yet. */
export const newClock = (control: TimeControl): Clock => ({
  allowance: null,
  given: 0,
  stops: [],
  reminded: false,
  bank: control.type === 'bank' ? { first: control.initial, second: control.initial } : null,
  away: { first: null, second: null },
});

/** The clock of the turn of `player` that begins at `at`. */
export const turnClock = (control: TimeControl, clock: Clock, player: Player, at: number): Clock => ({
  ...clock,
  allowance: clock.bank?.[player] ?? turnSeconds(control),
  given: 0,
  stops: absenceStops(clock, player, at),
  reminded: false,
});

/** A vacation that has begun stops the clock from the start of the turn on, or from its own. */
export function absenceStops({ away }: Clock, player: Player, startedAt: number): readonly Stop[] {
  const absence = away[player];
  if (absence === null) return [];
  const from = secondsBefore(startedAt, absence.from);
  const until = secondsBehind(startedAt, absence.until);
  return until > from ? [{ kind: 'vacation', from, until }] : [];
}

/** The bank of a player who used so many seconds of this turn. */
export function bankAfter(control: TimeControl, clock: Clock, player: Player, used: number): Clock['bank'] {
  if (control.type !== 'bank' || clock.bank === null) return null;
  const left = Math.max(0, (clock.allowance ?? 0) + clock.given - used);
  return { ...clock.bank, [player]: Math.min(control.cap, left + control.increment) };
}
