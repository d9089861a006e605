import { accept, refuse, type Bounds, type Result } from '../rules/result.js';
import type { Player } from '../rules/ruleset.js';
import { shown } from '../rules/shown.js';
import { CEILING_SECONDS, secondsBefore, secondsBehind, type Clock, type Stop } from './clock.js';

/** Time controls. Durations are whole seconds. */

export const MIN_MOVE_SECONDS = 60;
export const MAX_MOVE_SECONDS = CEILING_SECONDS;

/** The limits on how long a game waits for a client seed before its first ply. */
const PATIENCE_SECONDS = { least: 3600, most: 3 * 86_400 };

export const TIME_CONTROL_TYPES = ['perMove', 'bank', 'none'] as const;

export type TimeControl = (
  | { readonly type: 'perMove'; readonly seconds: number }
  /** `increment` is added after each move, and the bank never exceeds `cap`. */
  | { readonly type: 'bank'; readonly initial: number; readonly increment: number; readonly cap: number }
  | { readonly type: 'none' }
) & {
  /** Set if vacations do not stop the clocks. */
  readonly noVacation?: true;
};

/** A time control as a client sends it. */
export interface GivenTimeControl {
  readonly type: string;
  readonly seconds?: number | null | undefined;
  readonly initial?: number | null | undefined;
  readonly increment?: number | null | undefined;
  readonly cap?: number | null | undefined;
  readonly noVacation?: boolean | null | undefined;
}

export function makeTimeControl(given: GivenTimeControl): Result<TimeControl> {
  const made =
    makers[given.type]?.(given) ??
    bad('type', `must be one of ${TIME_CONTROL_TYPES.join(', ')}; got ${shown(given.type)}.`);
  return made.ok && given.noVacation === true ? accept({ ...made.value, noVacation: true }) : made;
}

const bad = (part: string, message: string, bounds?: Bounds): Result<never> =>
  refuse('INVALID_TIME_CONTROL', `timeControl.${part}`, `timeControl.${part} ${message}`, bounds);

/** Refuses a part that this type of time control does not have. */
const stray = (type: string, parts: Partial<GivenTimeControl>): Result<never> | null => {
  const [name] = Object.entries(parts).find(([, value]) => value != null) ?? [];
  return name === undefined
    ? null
    : bad(`${type}.${name}`, 'must be left out: this type of time control does not have it.');
};

/** Refuses a part that is not a whole number of seconds in this range. */
function outside(name: string, value: unknown, min: number, max: number, words: string): Result<never> {
  return bad(name, `must be a whole number of seconds from ${words}; got ${shown(value)}.`, { min, max });
}

const LONGEST = `${MAX_MOVE_SECONDS} (60 days)`;
const ANY_LENGTH = `${MIN_MOVE_SECONDS} (1 minute) to ${LONGEST}`;

type Maker = (given: GivenTimeControl) => Result<TimeControl>;

const makers: Readonly<Record<string, Maker>> = Object.assign(Object.create(null), {
  perMove: ({ seconds, initial, increment, cap }) => {
    const other = stray('perMove', { initial, increment, cap });
    if (other !== null) return other;
    return isWithin(seconds, MIN_MOVE_SECONDS, MAX_MOVE_SECONDS)
      ? accept({ type: 'perMove', seconds })
      : outside('perMove.seconds', seconds, MIN_MOVE_SECONDS, MAX_MOVE_SECONDS, ANY_LENGTH);
  },
  bank: ({ seconds, initial, increment, cap }) => {
    const other = stray('bank', { seconds });
    if (other !== null) return other;
    if (!isWithin(initial, MIN_MOVE_SECONDS, MAX_MOVE_SECONDS)) {
      return outside('bank.initial', initial, MIN_MOVE_SECONDS, MAX_MOVE_SECONDS, ANY_LENGTH);
    }
    const most = cap ?? initial;
    if (!isWithin(most, initial, MAX_MOVE_SECONDS)) {
      return outside('bank.cap', most, initial, MAX_MOVE_SECONDS, `${initial} (initial) to ${LONGEST}`);
    }
    const added = increment ?? 0;
    if (!isWithin(added, 0, most)) return outside('bank.increment', added, 0, most, `0 to ${most} (cap)`);
    return accept({ type: 'bank', initial, increment: added, cap: most });
  },
  none: ({ seconds, initial, increment, cap }) =>
    stray('none', { seconds, initial, increment, cap }) ?? accept({ type: 'none' }),
} satisfies Record<string, Maker>) as Readonly<Record<string, Maker>>;

const isWithin = (value: number | null | undefined, min: number, max: number): value is number =>
  Number.isInteger(value) && value! >= min && value! <= max;

/** When a game stops waiting for a client seed. */
export function seedDeadline(control: TimeControl, from: number): number {
  const { least, most } = PATIENCE_SECONDS;
  return from + Math.max(least, Math.min(turnSeconds(control) ?? most, most)) * 1000;
}

/** The seconds of a first turn; null without a time control. */
function turnSeconds(control: TimeControl): number | null {
  if (control.type === 'none') return null;
  return control.type === 'perMove' ? control.seconds : control.initial;
}

/** The seconds that the opponent may add to a turn: the increment of a bank that has one, else the time of a turn. */
export function giveableSeconds(control: TimeControl): number | null {
  return control.type === 'bank' && control.increment > 0 ? control.increment : turnSeconds(control);
}

/** The clock before the first turn. */
export const newClock = (control: TimeControl): Clock => ({
  allowance: null,
  given: 0,
  stops: [],
  reminded: false,
  bank: control.type === 'bank' ? { first: control.initial, second: control.initial } : null,
  away: { first: null, second: null },
});

/** The clock at the start of a turn. */
export const turnClock = (control: TimeControl, clock: Clock, player: Player, at: number): Clock => ({
  ...clock,
  allowance: clock.bank?.[player] ?? turnSeconds(control),
  given: 0,
  stops: absenceStops(clock, player, at),
  reminded: false,
});

/** A running vacation stops the clock from the start of the turn or of the vacation, whichever is later. */
export function absenceStops({ away }: Clock, player: Player, startedAt: number): readonly Stop[] {
  const absence = away[player];
  if (absence === null) return [];
  const from = secondsBefore(startedAt, absence.from);
  const until = secondsBehind(startedAt, absence.until);
  return until > from ? [{ kind: 'vacation', from, until }] : [];
}

/** The banks after a player used so many seconds of this turn. */
export function bankAfter(control: TimeControl, clock: Clock, player: Player, used: number): Clock['bank'] {
  if (control.type !== 'bank' || clock.bank === null) return null;
  const left = Math.max(0, (clock.allowance ?? 0) + clock.given - used);
  return { ...clock.bank, [player]: Math.min(control.cap, left + control.increment) };
}
