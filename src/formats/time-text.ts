import { LIMITS, type ScoreTimeControl } from './score.js';

/** Times in tags and comments. */

/** The tag TimeControl, and own tags for what it cannot express. */
export function timeTags(control: ScoreTimeControl | null): Readonly<Record<string, string>> {
  if (control === null) return {};
  const vacation = control.noVacation === true ? { Vacation: 'no' } : {};
  if (control.type === 'none') return { TimeControl: '-', ...vacation };
  if (control.type === 'perMove') return { TimeControl: `1/${control.seconds}`, ...vacation };
  const { initial, increment, cap } = control;
  const limit = cap === initial ? {} : { TimeCap: String(cap) };
  return { TimeControl: `${initial}+${increment}`, ...limit, ...vacation };
}

const seconds = (text: string | undefined): number | null =>
  text !== undefined && /^[0-9]{1,10}$/.test(text) && Number(text) <= LIMITS.whole ? Number(text) : null;

/**
 * Parses `-`, `1/SECONDS` (per move), `INITIAL+INCREMENT` and `INITIAL` (bank); null for anything else, such as
 * tournament periods.
 */
export function parseTimeControl(
  control: string,
  cap: string | undefined,
  vacation: string | undefined,
): ScoreTimeControl | null {
  const away = vacation === 'no' ? { noVacation: true as const } : {};
  if (control === '-') return { type: 'none', ...away };
  if (control.startsWith('1/')) {
    const each = seconds(control.slice(2));
    return each === null ? null : { type: 'perMove', seconds: each, ...away };
  }
  const [first, second = '0', ...rest] = control.split('+');
  const [initial, increment] = [seconds(first), seconds(second)];
  if (initial === null || increment === null || rest.length > 0) return null;
  const most = cap === undefined ? initial : seconds(cap);
  return most === null ? null : { type: 'bank', initial, increment, cap: most, ...away };
}

const two = (number: number): string => String(number).padStart(2, '0');

/** `h:mm:ss`; hours go on beyond a day. */
export const clockText = (left: number): string =>
  `${Math.floor(left / 3600)}:${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;

/** The whole seconds of `[%clk h:mm:ss]` or `[%emt h:mm:ss]` in a comment, or null. */
export function secondsIn(comment: string, command: 'clk' | 'emt'): number | null {
  const at = comment.indexOf(`[%${command}`);
  if (at < 0) return null;
  const text = comment.slice(at + 5, at + 40);
  const [, hours, minutes, rest] =
    /^\s{1,3}(\d{1,6}):(\d{1,2}):(\d{1,2})(?:\.\d{1,9})?\s?\]/.exec(text) ?? [];
  const told = Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
  return told <= LIMITS.whole ? told : null;
}

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

/** True for a date as in tags, with `?` for unknown digits. */
export function isDateText(text: string): boolean {
  if (!/^[0-9?]{4}\.(?:[0-9]{2}|\?\?)\.(?:[0-9]{2}|\?\?)$/.test(text)) return false;
  const [year, month, day] = text.split('.').map((part) => (part.includes('?') ? null : Number(part)));
  if (month == null) return day == null || (day >= 1 && day <= 31);
  const last = month === 2 && year != null && !isLeap(year) ? 28 : DAYS[month - 1];
  return last !== undefined && (day == null || (day >= 1 && day <= last));
}

/** The two tags of a moment, as `2026.01.31` and `09:05:00`. */
export const momentTags = (moment: string): readonly [date: string, time: string] => [
  moment.slice(0, 10).replaceAll('-', '.'),
  moment.slice(11, 19),
];

/** The time in two tags, or null. */
export function parseMoment(date: string, time: string): string | null {
  const isTime = /^(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$/.test(time);
  if (!isTime || date.includes('?') || !isDateText(date)) return null;
  return `${date.replaceAll('.', '-')}T${time}Z`;
}

/** A UTC time without fractions of a second, or null if the text is not one. */
export function momentOf(text: string): string | null {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d{1,9})?Z$/.exec(text) ?? [];
  return date === undefined || time === undefined ? null : parseMoment(date.replaceAll('-', '.'), time);
}
