import { accept, type Refusal, type Result } from '../rules/result.js';

/**
 * The arithmetic of vacations. Instants are milliseconds since 1970 (UTC). A day of a vacation begins whole times 24
 * hours after its start, and counts in the calendar year (UTC) in which it begins. Source: the design of play.
 */

export const DAY_MS = 86_400_000;
export const DAYS_A_YEAR = 30;
/** Over New Year a vacation may take the days of two years. */
const MOST_DAYS = 2 * DAYS_A_YEAR;
const MOST_PLANNED = 10;
const FARTHEST_MS = 365 * DAY_MS;

export interface Vacation {
  readonly startsAt: number;
  readonly endsAt: number;
  /** Days that count: those planned, or those begun when it was ended early; 0 when it was called off. */
  readonly days: number;
}

export const VACATION_STATUSES = ['planned', 'running', 'over', 'calledOff'] as const;
export type VacationStatus = (typeof VACATION_STATUSES)[number];

/** What somebody asks for. */
export interface VacationWish {
  /** Null: now. */
  readonly startsAt: number | null;
  readonly days: number;
}

/** Days between the first of January of the year 1 and that of this year. */
function daysTo(year: number): number {
  const y = year - 1;
  return 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
}

const MEAN_YEAR = 365.2425;
const DAYS_TO_1970 = daysTo(1970);

/** The calendar year (UTC) of an instant. */
export function yearOf(instant: number): number {
  const day = DAYS_TO_1970 + Math.floor(instant / DAY_MS);
  // The mean year is at most one off.
  const year = Math.floor(day / MEAN_YEAR) + 1;
  if (day < daysTo(year)) return year - 1;
  return day < daysTo(year + 1) ? year : year + 1;
}

/** How many days of a vacation count in this year. */
export const daysIn = ({ startsAt, days }: Vacation, year: number): number =>
  Array.from({ length: days }, (_, day) => yearOf(startsAt + day * DAY_MS)).filter((of) => of === year)
    .length;

/** How many days of these vacations count in this year. */
export const usedIn = (vacations: readonly Vacation[], year: number): number =>
  vacations.reduce((days, vacation) => days + daysIn(vacation, year), 0);

/** A vacation that was not ended before its time. */
export const isFull = ({ startsAt, endsAt, days }: Vacation): boolean => endsAt === startsAt + days * DAY_MS;

export function statusAt({ startsAt, endsAt, days }: Vacation, now: number): VacationStatus {
  if (days === 0) return 'calledOff';
  if (now < startsAt) return 'planned';
  return now < endsAt ? 'running' : 'over';
}

/** The vacation that is wished for, beside those that its user has; or why not. */
export function plan(
  taken: readonly Vacation[],
  { startsAt, days }: VacationWish,
  now: number,
): Result<Vacation> {
  const from = startsAt ?? now;
  const vacation = { startsAt: from, endsAt: from + days * DAY_MS, days };
  const refusal = malformed(vacation, now) ?? tooMany(taken, vacation, now) ?? taking(taken, vacation);
  return refusal === null ? accept(vacation) : { ok: false, refusal };
}

function malformed({ startsAt, days }: Vacation, now: number): Refusal | null {
  if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS) {
    return {
      code: 'INVALID_VACATION',
      message: `A vacation has from 1 to ${MOST_DAYS} whole days: ${DAYS_A_YEAR} of each year that it is in.`,
      field: 'days',
    };
  }
  if (startsAt >= now && startsAt <= now + FARTHEST_MS) return null;
  return {
    code: 'INVALID_VACATION',
    message:
      startsAt < now
        ? 'A vacation does not start in the past: leave startsAt out, and it starts now.'
        : 'A vacation is planned up to 365 days ahead.',
    field: 'startsAt',
  };
}

function tooMany(taken: readonly Vacation[], { startsAt }: Vacation, now: number): Refusal | null {
  const planned = taken.filter((vacation) => statusAt(vacation, now) === 'planned').length;
  if (startsAt === now || planned < MOST_PLANNED) return null;
  return {
    code: 'LIMIT_REACHED',
    message: `You have planned ${MOST_PLANNED} vacations already, as many as one may: call one off first.`,
  };
}

function taking(taken: readonly Vacation[], wished: Vacation): Refusal | null {
  if (taken.some((other) => other.startsAt < wished.endsAt && wished.startsAt < other.endsAt)) {
    return {
      code: 'VACATION_OVERLAPS',
      message: 'You have a vacation in this time already: choose another, or end that one first.',
      field: 'startsAt',
    };
  }
  const first = yearOf(wished.startsAt);
  return usedUp(taken, wished, first) ?? usedUp(taken, wished, first + 1);
}

function usedUp(taken: readonly Vacation[], wished: Vacation, year: number): Refusal | null {
  const left = DAYS_A_YEAR - usedIn(taken, year);
  const wants = daysIn(wished, year);
  if (wants <= left) return null;
  return {
    code: 'VACATION_USED_UP',
    message: `Of your ${DAYS_A_YEAR} days of vacation in ${year} ${left} are left, and this would take ${wants}.`,
    field: 'days',
  };
}

/** The vacation as it is when its user ends it now, or calls it off before its start; null when it is over. */
export function ended(vacation: Vacation, now: number): Vacation | null {
  const { startsAt } = vacation;
  switch (statusAt(vacation, now)) {
    case 'planned':
      return { startsAt, endsAt: startsAt, days: 0 };
    case 'running':
      return { startsAt, endsAt: now, days: Math.max(1, Math.ceil((now - startsAt) / DAY_MS)) };
    default:
      return null;
  }
}
