import { AccessEnds, EXPIRY, SESSION_END } from '../../src/features/auth/access-ends.js';
import { DAY_MS, Time } from '../../src/platform/process/time.js';

const DAYS = 60;

/** Rings after 24 days at the latest, as timers do. */
class LimitedTime extends Time {
  days = 0;
  alarm: { readonly day: number; readonly work: () => void } | null = null;

  override now(): Date {
    return new Date(this.days * DAY_MS);
  }

  override at(moment: Date, work: () => void): () => void {
    this.alarm = { day: Math.min(moment.getTime() / DAY_MS, this.days + 24), work };
    return () => (this.alarm = null);
  }

  ring(): void {
    const { day, work } = this.alarm!;
    this.days = day;
    work();
  }
}

const of = (sessionId: string) => ({ sessionId, userId: 'u', expiresAt: new Date(DAYS * DAY_MS) });

test('a token that is valid for longer than a timer can wait is told its expiry once, at its time', () => {
  const time = new LimitedTime();
  const ends = new AccessEnds(time);
  const told: unknown[] = [];
  ends.watch(of('s'), (end) => told.push([time.days, end]));
  for (const day of [24, 48, 60]) {
    expect(told).toEqual([]);
    time.ring();
    expect(time.days).toBe(day);
  }
  expect(told).toEqual([[DAYS, EXPIRY]]);
  ends.sessionEnded(of('s'));
  expect([told.length, ends.sessions(), time.alarm]).toEqual([1, [], null]);
});

test('the end of a session is told to all that is open on it, unless it was cancelled', () => {
  const time = new LimitedTime();
  const ends = new AccessEnds(time);
  const told: unknown[] = [];
  for (const name of ['a', 'b']) ends.watch(of('s'), (end) => told.push([name, end]));
  ends.watch(of('s'), () => told.push('cancelled'))();
  ends.watch(of('other'), () => told.push('other'));
  ends.sessionEnded(of('s'));
  expect(told).toEqual([
    ['a', SESSION_END],
    ['b', SESSION_END],
  ]);
  expect(ends.sessions()).toEqual([of('other')]);
});
