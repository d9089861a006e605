import fc from 'fast-check';
import {
  DAY_MS,
  DAYS_A_YEAR,
  daysIn,
  ended,
  isFull,
  plan,
  statusAt,
  usedIn,
  yearOf,
  type Vacation,
  type VacationPlan,
} from '../../src/arbiter/vacation.js';
import { runs } from '../support/scale.js';

/** Vacations: at most 30 days of a calendar year, however they are planned, ended and cancelled. */

const NOW = Date.UTC(2026, 5, 15, 12);

const planned = (taken: readonly Vacation[], wish: VacationPlan, now = NOW): Vacation => {
  const answer = plan(taken, wish, now);
  if (!answer.ok) throw new Error(answer.refusal.message);
  return answer.value;
};
const refusal = (taken: readonly Vacation[], wish: VacationPlan, now = NOW): unknown => {
  const answer = plan(taken, wish, now);
  return answer.ok ? answer.value : [answer.refusal.code, answer.refusal.field];
};

describe('the year of an instant', () => {
  test('is the calendar year in UTC', () => {
    const instant = fc.integer({ min: Date.UTC(1600, 0, 1), max: Date.UTC(2800, 0, 1) });
    fc.assert(
      fc.property(instant, (at) => {
        expect(yearOf(at)).toBe(new Date(at).getUTCFullYear());
      }),
      runs(2000),
    );
  });

  test('changes at New Year', () => {
    for (let year = 1890; year < 2410; year += 1) {
      const newYear = Date.UTC(year, 0, 1);
      expect([yearOf(newYear - 1), yearOf(newYear)]).toEqual([year - 1, year]);
    }
  });
});

describe('a vacation', () => {
  test('starts now or at the planned time, and lasts whole days', () => {
    expect(planned([], { startsAt: null, days: 3 })).toEqual({
      startsAt: NOW,
      endsAt: NOW + 3 * DAY_MS,
      days: 3,
    });
    const from = NOW + 1234;
    expect(planned([], { startsAt: from, days: 1 })).toEqual({
      startsAt: from,
      endsAt: from + DAY_MS,
      days: 1,
    });
  });

  test('over New Year counts in both years, each day in the year in which it begins', () => {
    const startsAt = Date.UTC(2026, 11, 30, 12);
    const over = planned([], { startsAt, days: 5 });
    expect([2025, 2026, 2027, 2028].map((year) => daysIn(over, year))).toEqual([0, 2, 3, 0]);
    const most = planned([], { startsAt: Date.UTC(2026, 11, 2), days: 60 });
    expect([2026, 2027].map((year) => daysIn(most, year))).toEqual([30, 30]);
    const taken = [planned([], { startsAt: Date.UTC(2027, 2, 1), days: 28 })];
    expect(refusal(taken, { startsAt, days: 5 })).toEqual(['VACATION_USED_UP', 'days']);
    expect(plan(taken, { startsAt, days: 5 }, NOW)).toMatchObject({
      refusal: { message: 'This vacation takes 3 days of 2027, and you have 2 of your 30 left. Take fewer.' },
    });
    expect(planned(taken, { startsAt, days: 4 }).days).toBe(4);
  });

  test.each([
    ['no days', { startsAt: null, days: 0 }, 'days'],
    ['a negative number of days', { startsAt: null, days: -1 }, 'days'],
    ['a fraction of a day', { startsAt: null, days: 1.5 }, 'days'],
    ['more days than two years allow', { startsAt: null, days: 61 }, 'days'],
    ['not a number', { startsAt: null, days: Number.NaN }, 'days'],
    ['a start in the past', { startsAt: NOW - 1, days: 1 }, 'startsAt'],
    ['a start in the far future', { startsAt: NOW + 365 * DAY_MS + 1, days: 1 }, 'startsAt'],
  ])('is refused with %s', (_, wish, field) => {
    expect(refusal([], wish)).toEqual(['INVALID_VACATION', field]);
  });

  test('never overlaps another; it may follow one directly', () => {
    const taken = [planned([], { startsAt: NOW + 5 * DAY_MS, days: 5 })];
    const at = (startsAt: number, days: number) => refusal(taken, { startsAt, days });
    expect(at(NOW + DAY_MS, 4)).toMatchObject({ days: 4 });
    expect(at(NOW + DAY_MS + 1, 4)).toEqual(['VACATION_OVERLAPS', 'startsAt']);
    expect(at(NOW + 7 * DAY_MS, 1)).toEqual(['VACATION_OVERLAPS', 'startsAt']);
    expect(at(NOW + 4 * DAY_MS, 9)).toEqual(['VACATION_OVERLAPS', 'startsAt']);
    expect(at(NOW + 10 * DAY_MS - 1, 1)).toEqual(['VACATION_OVERLAPS', 'startsAt']);
    expect(at(NOW + 10 * DAY_MS, 1)).toMatchObject({ days: 1 });
  });

  test('is limited to ten planned; one that starts now is not counted', () => {
    const taken = Array.from({ length: 10 }, (_, i) =>
      planned([], { startsAt: NOW + (2 * i + 2) * DAY_MS, days: 1 }),
    );
    expect(refusal(taken, { startsAt: NOW + 50 * DAY_MS, days: 1 })).toEqual(['LIMIT_REACHED', undefined]);
    expect(refusal(taken, { startsAt: null, days: 1 })).toMatchObject({ days: 1 });
    const later = NOW + 3 * DAY_MS;
    expect(refusal(taken, { startsAt: NOW + 50 * DAY_MS, days: 1 }, later)).toMatchObject({ days: 1 });
  });
});

describe('ending it', () => {
  const vacation = planned([], { startsAt: NOW + DAY_MS, days: 3 });
  const start = vacation.startsAt;

  test('before its start returns all its days', () => {
    expect(ended(vacation, start - 1)).toEqual({ startsAt: start, endsAt: start, days: 0 });
  });

  test.each([
    [0, 1],
    [1, 1],
    [DAY_MS, 1],
    [DAY_MS + 1, 2],
    [2 * DAY_MS, 2],
    [3 * DAY_MS - 1, 3],
  ])('%d ms after its start counts the days begun: %d', (after, days) => {
    expect(ended(vacation, start + after)).toEqual({ startsAt: start, endsAt: start + after, days });
  });

  test('is refused when it is over, ended early, or cancelled', () => {
    expect(ended(vacation, vacation.endsAt)).toBeNull();
    expect(ended(ended(vacation, start + 5)!, start + 6)).toBeNull();
    expect(ended(ended(vacation, start - 2)!, start - 1)).toBeNull();
  });

  test('is visible in its status and in whether it is full', () => {
    const early = ended(vacation, start + 5)!;
    expect(
      [start - 1, start, vacation.endsAt - 1, vacation.endsAt].map((at) => statusAt(vacation, at)),
    ).toEqual(['planned', 'running', 'running', 'over']);
    expect(statusAt(early, start + 5)).toBe('over');
    expect(statusAt(ended(vacation, NOW)!, NOW)).toBe('calledOff');
    expect([isFull(vacation), isFull(early)]).toEqual([true, false]);
  });
});

test('never exceeds 30 days in a year and never returns a day that has begun, in random sequences', () => {
  const wait = fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 60 * DAY_MS }));
  const step = fc.record({
    wait,
    ahead: fc.option(fc.integer({ min: 0, max: 370 * DAY_MS }), { nil: null }),
    days: fc.integer({ min: 1, max: 40 }),
    end: fc.option(fc.nat(20), { nil: null, freq: 2 }),
  });
  const counts = { planned: 0, refused: 0, ended: 0, calledOff: 0, over: 0, inTwoYears: 0 };
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let now = NOW;
      let taken: readonly Vacation[] = [];
      for (const { wait, ahead, days, end } of steps) {
        now += wait;
        if (end !== null && taken.length > 0) taken = endedOne(taken, end % taken.length, now);
        else taken = plannedOne(taken, { startsAt: ahead === null ? null : now + ahead, days }, now);
        for (let year = 2026; year < 2036; year += 1)
          expect(usedIn(taken, year)).toBeLessThanOrEqual(DAYS_A_YEAR);
        const all = taken.filter((vacation) => vacation.days > 0).sort((a, b) => a.startsAt - b.startsAt);
        all.slice(1).forEach(({ startsAt }, i) => expect(startsAt).toBeGreaterThanOrEqual(all[i]!.endsAt));
      }
    }),
    // Some cases are rare in random runs; it is enough that each occurs.
    { numRuns: 500 },
  );
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);

  function plannedOne(taken: readonly Vacation[], wish: VacationPlan, now: number): readonly Vacation[] {
    const answer = plan(taken, wish, now);
    counts[answer.ok ? 'planned' : 'refused'] += 1;
    if (!answer.ok) return taken;
    const vacation = answer.value;
    expect(vacation).toMatchObject({ days: wish.days, endsAt: vacation.startsAt + wish.days * DAY_MS });
    const year = yearOf(vacation.startsAt);
    expect(daysIn(vacation, year) + daysIn(vacation, year + 1)).toBe(wish.days);
    if (daysIn(vacation, year + 1) > 0) counts.inTwoYears += 1;
    return [...taken, vacation];
  }

  function endedOne(taken: readonly Vacation[], which: number, now: number): readonly Vacation[] {
    const before = taken[which]!;
    const after = ended(before, now);
    if (after === null) {
      counts.over += 1;
      expect(['over', 'calledOff']).toContain(statusAt(before, now));
      return taken;
    }
    counts[after.days === 0 ? 'calledOff' : 'ended'] += 1;
    if (now >= before.startsAt) {
      expect(after.days).toBeGreaterThanOrEqual(Math.max(1, (now - before.startsAt) / DAY_MS));
      expect(after.days).toBeLessThanOrEqual(before.days);
    }
    return taken.map((vacation, i) => (i === which ? after : vacation));
  }
});
