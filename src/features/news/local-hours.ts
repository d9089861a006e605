/** Hours of the day in the time zones of users. */

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;

const clocks = new Map<string, Intl.DateTimeFormat>();
/** The IANA database has some 600 names, in any case. */
const MOST_CLOCKS = 2000;

const clockOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** Whether a text names a time zone. */
export function isTimeZone(text: string): boolean {
  try {
    clockOf(text);
    return true;
  } catch {
    return false;
  }
}

/** The minute of the day; in UTC where the zone was dropped from the time zone database. */
function minuteOfDay(moment: Date, timeZone: string): number {
  let clock = clocks.get(timeZone);
  if (clock === undefined) {
    clock = clockOf(isTimeZone(timeZone) ? timeZone : 'UTC');
    if (clocks.size >= MOST_CLOCKS) clocks.clear();
    clocks.set(timeZone, clock);
  }
  const [hour, minute] = clock.format(moment).split(':').map(Number);
  return hour! * 60 + minute!;
}

const later = (moment: Date, minutes: number): Date => new Date(moment.getTime() + minutes * MINUTE_MS);

/** The next moment after this one at which the hour begins there. */
export function nextHour(after: Date, hour: number, timeZone: string): Date {
  const start = new Date(Math.floor(after.getTime() / MINUTE_MS) * MINUTE_MS);
  const now = minuteOfDay(start, timeZone);
  const guess = later(start, (hour * 60 - now + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES);
  // A change of the clocks between moves it by an hour; an hour that is skipped begins at the next one.
  const off =
    ((minuteOfDay(guess, timeZone) - hour * 60 + DAY_MINUTES * 1.5) % DAY_MINUTES) - DAY_MINUTES / 2;
  const mended = later(guess, -off);
  return mended > after && minuteOfDay(mended, timeZone) === hour * 60 ? mended : guess;
}

/** From one hour of the day until another, perhaps past midnight. */
export interface Hours {
  readonly from: number;
  readonly until: number;
  readonly timeZone: string;
}

export function isWithin(moment: Date, { from, until, timeZone }: Hours): boolean {
  const minute = minuteOfDay(moment, timeZone);
  return from < until
    ? minute >= from * 60 && minute < until * 60
    : minute >= from * 60 || minute < until * 60;
}

/** When the hours began in which a moment is. */
export function beginningOf(moment: Date, { from, timeZone }: Hours): Date {
  const gone = (minuteOfDay(moment, timeZone) - from * 60 + DAY_MINUTES) % DAY_MINUTES;
  return later(new Date(Math.floor(moment.getTime() / MINUTE_MS) * MINUTE_MS), -gone);
}
