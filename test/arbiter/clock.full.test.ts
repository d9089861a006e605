import fc from 'fast-check';
import {
  abandonedAt,
  ABANDONED_SECONDS,
  CEILING_SECONDS,
  deadlineOf,
  explain,
  leftAt,
  reminderOf,
  addableSeconds,
  secondsBefore,
  secondsBehind,
  usedAt,
  type Clock,
  type Stop,
  type Turn,
} from '../../src/arbiter/clock.js';
import { DAY, HOUR, START } from './states.js';
import { runs } from '../support/scale.js';

const D = 86_400;

const turn = (allowance: number | null, stops: readonly Stop[] = [], more: Partial<Clock> = {}): Turn => ({
  startedAt: START,
  clock: {
    allowance,
    given: 0,
    stops,
    reminded: false,
    bank: null,
    away: { first: null, second: null },
    ...more,
  },
});

const vacation = (from: number, until: number): Stop => ({ kind: 'vacation', from, until });
const pause = (from: number, until: number | null): Stop => ({ kind: 'pause', from, until });

/** Steps through a turn in steps of `unit` seconds; all facts are multiples of it. */
function walk({ clock }: Turn, unit: number, allowed: number) {
  const within = ({ from, until }: Stop, second: number) => from <= second && second < (until ?? Infinity);
  const ran: number[] = [0];
  let [own, ceiling, second] = [allowed, CEILING_SECONDS, 0];
  for (; own > 0 && ceiling > 0; second += unit) {
    const at = clock.stops.filter((stop) => within(stop, second));
    if (at.some(({ until }) => until === null)) return { end: null, ran };
    if (at.length === 0) own -= unit;
    if (at.every(({ kind }) => kind !== 'pause')) ceiling -= unit;
    ran.push(allowed - own);
  }
  return { end: second, ran };
}

const someStops = (unit: number) =>
  fc
    .tuple(
      fc.array(
        fc.record({
          kind: fc.constantFrom('vacation' as const, 'pause' as const),
          from: fc.nat(60),
          length: fc.nat(30),
        }),
        { maxLength: 5 },
      ),
      fc.option(fc.nat(60), { freq: 3 }),
    )
    .map(([closed, open]): readonly Stop[] => [
      ...closed.map(({ kind, from, length }) => ({ kind, from: from * unit, until: (from + length) * unit })),
      ...(open === null ? [] : [pause(open * unit, null)]),
    ]);

const cases = fc
  .constantFrom(1, D)
  .chain((unit) => fc.tuple(fc.constant(unit), fc.integer({ min: 1, max: 60 }), fc.nat(10), someStops(unit)));

const sum = (of: Turn) => explain(of).reduce((all, { seconds }) => all + (seconds ?? Infinity), 0);
const second = (instant: number | null) => (instant === null ? null : (instant - START) / 1000);

describe('a turn, step by step', () => {
  test('ends when its time or the longest turn is over', () => {
    fc.assert(
      fc.property(cases, ([unit, parts, given, stops]) => {
        const of = turn(parts * unit, stops, { given: given * unit });
        const { end } = walk(of, unit, (parts + given) * unit);
        expect(second(deadlineOf(of))).toBe(end);
        if (end !== null) expect(sum(of)).toBe(end);
        expect(explain(of).every(({ seconds }) => seconds === null || Number.isInteger(seconds))).toBe(true);
      }),
      runs(2000),
    );
  });

  test('reports the time used and left at every step', () => {
    fc.assert(
      fc.property(cases, ([unit, parts, , stops]) => {
        const of = turn(parts * unit, stops);
        const { end, ran } = walk(of, unit, parts * unit);
        ran.forEach((used, step) => {
          const now = START + step * unit * 1000;
          expect(usedAt(of, now)).toBe(used);
          if (end !== null) expect(leftAt(of, now)).toBe(ran.at(-1)! - used);
        });
        if (end !== null) expect(leftAt(of, START + (end + 1) * 1000)).toBe(0);
      }),
      runs(500),
    );
  });

  test('reminds when 80 % are used', () => {
    fc.assert(
      fc.property(cases, ([unit, parts, , stops]) => {
        const of = turn(parts * unit, stops);
        const { end, ran } = walk(of, unit, parts * unit);
        const reminder = second(reminderOf(of));
        if (end === null) return expect(reminder).toBeNull();
        const all = ran.at(-1)!;
        if (reminder === null) return expect(Math.ceil(all * 0.8)).toBe(all);
        expect(reminder).toBeLessThan(end);
        expect(usedAt(of, START + reminder * 1000)).toBe(Math.ceil(all * 0.8));
        expect(usedAt(of, START + reminder * 1000 - 1)).toBeLessThan(Math.ceil(all * 0.8));
      }),
    );
  });

  test('has room for the time it could run before the longest turn is over', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), someStops(D), fc.nat(70), (days, stops, gift) => {
        const of = turn(days * D, stops);
        const longest = walk(of, D, 1e9);
        const most = longest.end === null ? Infinity : longest.ran.at(-1)! - days * D;
        expect(addableSeconds(of, gift * D)).toBe(Math.max(0, Math.min(gift * D, most)));
      }),
    );
  });

  test('without a time control is abandoned after 30 days, not counting stops', () => {
    fc.assert(
      fc.property(someStops(D), (stops) => {
        const of = turn(null, stops);
        expect(second(abandonedAt(of))).toBe(walk(of, D, ABANDONED_SECONDS).end);
        expect([deadlineOf(of), leftAt(of, START), reminderOf(of), explain(of)]).toEqual([
          null,
          null,
          null,
          [],
        ]);
      }),
    );
  });
});

describe('the longest turn', () => {
  test('runs on through vacations', () => {
    const of = turn(50 * D, [vacation(10 * D, 40 * D)]);
    expect(deadlineOf(of)).toBe(START + 60 * DAY);
    expect(leftAt(of, START + 10 * DAY)).toBe(20 * D);
    expect(explain(of).map(({ kind, seconds }) => [kind, seconds])).toEqual([
      ['turnStarted', 0],
      ['allowance', 50 * D],
      ['vacation', 30 * D],
      ['ceiling', -20 * D],
    ]);
  });

  test('does not run through pauses', () => {
    expect(deadlineOf(turn(50 * D, [pause(10 * D, 40 * D)]))).toBe(START + 80 * DAY);
    expect(deadlineOf(turn(50 * D, [vacation(10 * D, 40 * D), pause(20 * D, 30 * D)]))).toBe(
      START + 70 * DAY,
    );
  });

  test('limits what is left during a pause too, as if the pause ended now', () => {
    const before = turn(50 * D, [vacation(10 * D, 40 * D)]);
    const after = turn(50 * D, [vacation(10 * D, 40 * D), pause(41 * D, null)]);
    expect(leftAt(before, START + 41 * DAY)).toBe(19 * D);
    expect(leftAt(after, START + 41 * DAY)).toBe(19 * D);
    expect(leftAt(after, START + 99 * DAY)).toBe(19 * D);
  });
});

describe('whole seconds', () => {
  const instant = fc.integer({ min: 0, max: 4e12 });

  test('count down rounded up, count up rounded down, and are never negative', () => {
    fc.assert(
      fc.property(instant, instant, (from, to) => {
        const [over, begun] = [secondsBefore(from, to), secondsBehind(from, to)];
        expect(Number.isInteger(over) && Number.isInteger(begun)).toBe(true);
        if (to < from) return expect([over, begun]).toEqual([0, 0]);
        expect(over * 1000).toBeLessThanOrEqual(to - from);
        expect(over * 1000).toBeGreaterThan(to - from - 1000);
        expect(begun - over).toBe((to - from) % 1000 === 0 ? 0 : 1);
      }),
    );
  });

  test('are charged when they are complete', () => {
    const of = turn(60);
    expect([999, 1000, 59_999, 60_000].map((ms) => usedAt(of, START + ms))).toEqual([0, 1, 59, 60]);
    expect(usedAt(of, START - 5000)).toBe(0);
    expect(leftAt(of, START + 60_000)).toBe(0);
  });
});

describe('the parts of a deadline', () => {
  test('name each cause with its seconds, and for two that overlap only what the second adds', () => {
    const of = turn(D, [vacation(3600, 7200), pause(5400, 9000), vacation(99 * D, 100 * D)], { given: 60 });
    expect(deadlineOf(of)).toBe(START + DAY + 60_000 + 1.5 * HOUR);
    expect(explain(of)).toEqual([
      { kind: 'turnStarted', from: START, until: null, seconds: 0 },
      { kind: 'allowance', from: null, until: null, seconds: D },
      { kind: 'given', from: null, until: null, seconds: 60 },
      { kind: 'vacation', from: START + HOUR, until: START + 2 * HOUR, seconds: 3600 },
      { kind: 'pause', from: START + 1.5 * HOUR, until: START + 2.5 * HOUR, seconds: 1800 },
    ]);
  });

  test('have an open end in a pause that has not been called off', () => {
    const of = turn(D, [pause(3600, null)]);
    expect(explain(of).at(-1)).toEqual({ kind: 'pause', from: START + HOUR, until: null, seconds: null });
    expect([deadlineOf(of), reminderOf(of), leftAt(of, START + 9 * DAY)]).toEqual([null, null, D - 3600]);
  });
});
