const FORM = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{3})Z$/;
const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const monthLength = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : (LENGTHS[month - 1] ?? 0);

/** Days before the first of January of this year, from 1970 on. */
function daysBefore(year: number): number {
  const past = year - 1;
  const days = 365 * past + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
  return days - 719_162;
}

/** Parses a time such as `2026-01-31T09:05:00.000Z` to milliseconds since 1970, or null. */
export function parseInstant(text: string): number | null {
  const parts = FORM.exec(text)?.slice(1).map(Number);
  if (parts === undefined) return null;
  const [year, month, day, hour, minute, second, milli] = parts as [
    number, number, number, number, number, number, number,
  ]; // prettier-ignore
  const isReal = day >= 1 && day <= monthLength(year, month) && hour < 24 && minute < 60 && second < 60;
  if (!isReal) return null;
  let days = daysBefore(year) + day - 1;
  for (let before = 1; before < month; before++) days += monthLength(year, before);
  return ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + milli;
}
