import { dueOf, reminderOf } from '../../src/features/news/due.js';
import { isTimeZone, nextHour } from '../../src/features/news/local-hours.js';
import { DEFAULT_WISHES } from '../../src/features/news/news-kinds.js';

/** When something is told: hours of the day where users live, quiet hours, and reminders. */

const at = (iso: string) => new Date(iso);
const BERLIN = { ...DEFAULT_WISHES, timeZone: 'Europe/Berlin' };
const QUIET = { ...BERLIN, quietFrom: 22, quietUntil: 7 };

test.each([
  ['2026-01-15T05:59:59Z', 7, 'Europe/Berlin', '2026-01-15T06:00:00Z'],
  ['2026-01-15T06:00:00Z', 7, 'Europe/Berlin', '2026-01-16T06:00:00Z'],
  ['2026-01-15T06:00:00Z', 0, 'Asia/Kolkata', '2026-01-15T18:30:00Z'],
  // The clocks go forward in the night to the 29th, and back in the night to the 25th.
  ['2026-03-28T12:00:00Z', 8, 'Europe/Berlin', '2026-03-29T06:00:00Z'],
  ['2026-10-24T12:00:00Z', 8, 'Europe/Berlin', '2026-10-25T07:00:00Z'],
  // This hour does not exist: the next one has begun instead.
  ['2026-03-28T12:00:00Z', 2, 'Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['2026-01-15T06:00:00Z', 8, 'Gone/Away', '2026-01-15T08:00:00Z'],
])('after %s, %i o’clock in %s is %s', (now, hour, zone, expected) => {
  expect(nextHour(at(now), hour, zone)).toEqual(at(expected));
});

test('time zones are those of the IANA database', () => {
  expect(['Europe/Berlin', 'UTC', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([true, true, false, false]);
});

test.each([
  ['atOnce', '2026-01-15T12:00:00Z', QUIET, '2026-01-15T12:01:00Z'],
  ['atOnce', '2026-01-15T20:59:30Z', QUIET, '2026-01-16T06:00:00Z'],
  ['atOnce', '2026-01-16T05:30:00Z', QUIET, '2026-01-16T06:00:00Z'],
  ['atOnce', '2026-01-16T05:59:30Z', QUIET, '2026-01-16T06:00:30Z'],
  ['daily', '2026-01-15T12:00:00Z', BERLIN, '2026-01-16T07:00:00Z'],
  ['daily', '2026-01-15T12:00:00Z', { ...QUIET, digestHour: 3 }, '2026-01-16T06:00:00Z'],
  ['daily', '2026-01-15T01:00:00Z', { ...BERLIN, quietFrom: 7, quietUntil: 9 }, '2026-01-15T08:00:00Z'],
] as const)('news %s, of %s', (time, now, wishes, expected) => {
  expect(dueOf(time, 'mail', at(now), wishes)).toEqual(at(expected));
});

test('a push of news at once waits for nothing but the quiet hours', () => {
  const noon = at('2026-01-15T12:00:00Z');
  expect(dueOf('atOnce', 'push', noon, QUIET)).toEqual(noon);
  expect(dueOf('atOnce', 'push', at('2026-01-15T22:00:00Z'), QUIET)).toEqual(at('2026-01-16T06:00:00Z'));
});

test.each([
  ['a day before', 86_400, '2026-01-10T12:00:00Z', '2026-01-13T12:00:00Z', BERLIN, '2026-01-12T12:00:00Z'],
  ['half of a day', 86_400, '2026-01-12T12:00:00Z', '2026-01-13T12:00:00Z', BERLIN, '2026-01-13T00:00:00Z'],
  [
    'and so of four hours',
    14_400,
    '2026-01-12T12:00:00Z',
    '2026-01-13T12:00:00Z',
    BERLIN,
    '2026-01-13T10:00:00Z',
  ],
  ['too short', 14_400, '2026-01-12T12:00:00Z', '2026-01-12T12:30:00Z', BERLIN, null],
  ['that has passed', 86_400, '2026-01-09T12:00:00Z', '2026-01-12T12:00:00Z', BERLIN, null],
  [
    'after the quiet hours',
    14_400,
    '2026-01-10T09:00:00Z',
    '2026-01-14T09:00:00Z',
    QUIET,
    '2026-01-14T06:00:00Z',
  ],
  [
    'before the quiet hours',
    14_400,
    '2026-01-10T05:00:00Z',
    '2026-01-14T05:00:00Z',
    QUIET,
    '2026-01-13T20:59:00Z',
  ],
])('a reminder %s', (_, seconds, began, deadline, wishes, expected) => {
  const turn = { began: at(began), deadline: at(deadline) };
  const told = reminderOf(seconds, turn, at('2026-01-12T10:00:00Z'), wishes);
  expect(told).toEqual(expected === null ? null : at(expected));
});
