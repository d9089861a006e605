import { beginningOf, type Hours, isWithin, nextHour } from './local-hours.js';
import type { NewsChannel, NewsTime, NewsWishes } from './news-kinds.js';

/** When something is told. */

/**
 * So long waits what is told at once: a mail says all of a minute, and nothing that the user answers meanwhile. A push can
 * be taken back, and waits for nothing.
 */
export const GATHERING_MS: Readonly<Record<NewsChannel, number>> = { mail: 60_000, push: 0 };
/** News that comes later than this before the deadline helps nobody. */
export const LAST_REMINDER_MS = 5 * 60_000;

type When = Pick<NewsWishes, 'quietFrom' | 'quietUntil' | 'digestHour' | 'timeZone'>;

const quietOf = ({ quietFrom, quietUntil, timeZone }: When): Hours | null =>
  quietFrom === null || quietUntil === null ? null : { from: quietFrom, until: quietUntil, timeZone };

const awake = (moment: Date, quiet: Hours | null): Date =>
  quiet !== null && isWithin(moment, quiet) ? nextHour(moment, quiet.until, quiet.timeZone) : moment;

/** When news of this moment is told. */
export function dueOf(time: Exclude<NewsTime, 'never'>, channel: NewsChannel, now: Date, wishes: When): Date {
  const moment =
    time === 'atOnce'
      ? new Date(now.getTime() + GATHERING_MS[channel])
      : nextHour(now, wishes.digestHour, wishes.timeZone);
  return awake(moment, quietOf(wishes));
}

/** A turn with a deadline. */
export interface TimedTurn {
  readonly began: Date;
  readonly deadline: Date;
}

/**
 * When somebody is reminded who wants to be it `seconds` before deadlines: less, if the longest of their reminders would
 * come in the first half of the turn. Before the quiet hours rather than in them, if the deadline is too near to their
 * end. Null if it is too late.
 */
export function reminderOf(
  seconds: number,
  { began, deadline }: TimedTurn,
  now: Date,
  wishes: NewsWishes,
): Date | null {
  const [start, end] = [began.getTime(), deadline.getTime()];
  const longest = Math.max(...wishes.reminders, seconds) * 1000;
  const share = Math.min(1, (end - start) / 2 / longest);
  const before = Math.floor(seconds * 1000 * share);
  if (before < LAST_REMINDER_MS) return null;
  const moment = new Date(end - before);
  const quiet = quietOf(wishes);
  const told = outside(moment, quiet, deadline);
  return told > now ? told : null;
}

function outside(moment: Date, quiet: Hours | null, deadline: Date): Date {
  if (quiet === null || !isWithin(moment, quiet)) return moment;
  const end = nextHour(moment, quiet.until, quiet.timeZone);
  if (deadline.getTime() - end.getTime() >= LAST_REMINDER_MS) return end;
  return new Date(beginningOf(moment, quiet).getTime() - 60_000);
}
