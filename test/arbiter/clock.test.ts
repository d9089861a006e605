import fc from 'fast-check';
import {
  deadline,
  makeTimeControl,
  MAX_MOVE_SECONDS,
  MIN_MOVE_SECONDS,
  secondsUsed,
  seedDeadline,
} from '../../src/arbiter/clock.js';

const NOON = Date.UTC(2026, 0, 31, 12);

describe('time controls', () => {
  test.each([
    ['perMove', 60],
    ['perMove', 86_400],
    ['perMove', 60 * 86_400],
  ])('%s of %d seconds', (type, seconds) => {
    expect(makeTimeControl(type, seconds)).toEqual({ type, seconds });
  });

  test('none has no seconds', () => {
    expect(makeTimeControl('none', null)).toEqual({ type: 'none' });
    expect(makeTimeControl('none', undefined)).toEqual({ type: 'none' });
    expect(makeTimeControl('none', 60)).toMatch(/no seconds/);
  });

  test.each([
    ['perMove', MIN_MOVE_SECONDS - 1],
    ['perMove', MAX_MOVE_SECONDS + 1],
    ['perMove', 90.5],
    ['perMove', null],
    ['perMove', Number.NaN],
    ['bank', 600],
    ['', 600],
  ])('refuses %s of %p seconds in words', (type, seconds) => {
    expect(typeof makeTimeControl(type, seconds)).toBe('string');
  });
});

describe('deadlines', () => {
  test('a turn lasts what the time control says, from its start', () => {
    expect(deadline({ type: 'perMove', seconds: 86_400 }, NOON)).toBe(Date.UTC(2026, 1, 1, 12));
    expect(deadline({ type: 'none' }, NOON)).toBeNull();
  });

  test('a client seed is awaited as long as a first move, and never for ever', () => {
    expect(seedDeadline({ type: 'perMove', seconds: 60 }, NOON)).toBe(NOON + 60_000);
    expect(seedDeadline({ type: 'none' }, NOON)).toBe(NOON + 30 * 86_400_000);
  });

  test('time used is whole seconds, never negative, never more than went by', () => {
    const instant = fc.integer({ min: 0, max: 4e12 });
    fc.assert(
      fc.property(instant, instant, (from, to) => {
        const used = secondsUsed(from, to);
        expect(Number.isInteger(used)).toBe(true);
        expect(used).toBeGreaterThanOrEqual(0);
        expect(used * 1000).toBeLessThanOrEqual(Math.max(0, to - from));
        expect(used * 1000).toBeGreaterThan(to - from - 1000);
      }),
    );
  });
});
