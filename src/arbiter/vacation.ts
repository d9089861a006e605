import { accept, type Refusal, type Result } from '../rules/result.js';

/**
 * The arithmetic of vacations. Instants are milliseconds since 1970 (UTC). A vacation consists of days of 24 hours
 * from its start; each counts in the calendar year (UTC) in which it begins.
 */

export const DAY_MS = 86_400_000;
export const DAYS_A_YEAR = 30;
/** A vacation over New Year may use the days of two years. */
const MOST_DAYS = 2 * DAYS_A_YEAR;
const MOST_PLANNED = 10;
const FARTHEST_MS = 365 * DAY_MS;

export interface Vacation {
  readonly startsAt: number;
  readonly endsAt: number;
  /** The days that count: those planned, or those begun if it was ended early; 0 if it was called off. */
  readonly days: number;
}

export const VACATION_STATUSES = ['planned', 'running', 'over', 'calledOff'] as const;
export type VacationStatus = (typeof VACATION_STATUSES)[number];

/** A vacation that a user wants to plan. */
export interface VacationPlan {
  /** Null to start now. */
  readonly startsAt: number | null;
  readonly days: number;
}

/** The days from 1 January of the year 1 to that of this year. */
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

/** True unless it was ended early. */
export const isFull = ({ startsAt, endsAt, days }: Vacation): boolean => endsAt === startsAt + days * DAY_MS;

export function statusAt({ startsAt, endsAt, days }: Vacation, now: number): VacationStatus {
  if (days === 0) return 'calledOff';
  if (now < startsAt) return 'planned';
  return now < endsAt ? 'running' : 'over';
}

/** The planned vacation, checked against those that the user already has. */
export function plan(
  taken: readonly Vacation[],
  { startsAt, days }: VacationPlan,
  now: number,
): Result<Vacation> {
  const from = startsAt ?? now;
  const vacation = { startsAt: from, endsAt: from + days * DAY_MS, days };
  const refusal =
    malformed(vacation, now) ?? tooManyPlanned(taken, vacation, now) ?? conflict(taken, vacation);
  return refusal === null ? accept(vacation) : { ok: false, refusal };
}

function malformed({ startsAt, days }: Vacation, now: number): Refusal | null {
  if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS) {
    return {
      code: 'INVALID_VACATION',
      message: `days must be a whole number from 1 to ${MOST_DAYS} (${DAYS_A_YEAR} in each calendar year); got ${days}.`,
      field: 'days',
      min: 1,
      max: MOST_DAYS,
    };
  }
  if (startsAt >= now && startsAt <= now + FARTHEST_MS) return null;
  return {
    code: 'INVALID_VACATION',
    message:
      startsAt < now
        ? 'startsAt must not be in the past. Leave it out to start the vacation now.'
        : 'startsAt must be at most 365 days ahead. Choose an earlier time.',
    field: 'startsAt',
  };
}

function tooManyPlanned(taken: readonly Vacation[], { startsAt }: Vacation, now: number): Refusal | null {
  const planned = taken.filter((vacation) => statusAt(vacation, now) === 'planned').length;
  if (startsAt === now || planned < MOST_PLANNED) return null;
  return {
    code: 'LIMIT_REACHED',
    message: `You have already planned ${MOST_PLANNED} vacations, the most that are allowed. Call one off first.`,
    limit: MOST_PLANNED,
  };
}

function conflict(taken: readonly Vacation[], planned: Vacation): Refusal | null {
  if (taken.some((other) => other.startsAt < planned.endsAt && planned.startsAt < other.endsAt)) {
    return {
      code: 'VACATION_OVERLAPS',
      message:
        'This vacation overlaps one that you already have. Choose another time, or end that one first.',
      field: 'startsAt',
    };
  }
  const first = yearOf(planned.startsAt);
  return usedUp(taken, planned, first) ?? usedUp(taken, planned, first + 1);
}

function usedUp(taken: readonly Vacation[], planned: Vacation, year: number): Refusal | null {
  const left = DAYS_A_YEAR - usedIn(taken, year);
  const wants = daysIn(planned, year);
  if (wants <= left) return null;
  return {
    code: 'VACATION_USED_UP',
    message: `This vacation takes ${wants} days of ${year}, and you have ${left} of your ${DAYS_A_YEAR} left. Take fewer.`,
    field: 'days',
    limit: DAYS_A_YEAR,
  };
}

/** The vacation after its user ends it now, or calls it off before its start; null if it is over. */
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
