import { CEILING_SECONDS } from '../../src/arbiter/clock.js';
import {
  bankAfter,
  giveableSeconds,
  makeTimeControl,
  MAX_MOVE_SECONDS,
  MIN_MOVE_SECONDS,
  newClock,
  seedDeadline,
  turnClock,
  type GivenTimeControl,
  type TimeControl,
} from '../../src/arbiter/time-control.js';
import { DAY, START } from './states.js';

const LONGEST = 60 * 86_400;
const bank: TimeControl = { type: 'bank', initial: 3600, increment: 600, cap: 7200 };

describe('a time control is built from', () => {
  test.each<[GivenTimeControl, TimeControl]>([
    [
      { type: 'perMove', seconds: 60 },
      { type: 'perMove', seconds: 60 },
    ],
    [
      { type: 'perMove', seconds: LONGEST, noVacation: true },
      { type: 'perMove', seconds: LONGEST, noVacation: true },
    ],
    [
      { type: 'perMove', seconds: 86_400, noVacation: false },
      { type: 'perMove', seconds: 86_400 },
    ],
    [
      { type: 'perMove', seconds: 86_400, initial: null, increment: null, cap: null, noVacation: null },
      { type: 'perMove', seconds: 86_400 },
    ],
    [{ type: 'bank', initial: 3600, increment: 600, cap: 7200 }, bank],
    [
      { type: 'bank', initial: 60, increment: 0, cap: 60 },
      { type: 'bank', initial: 60, increment: 0, cap: 60 },
    ],
    [
      { type: 'bank', initial: LONGEST, increment: LONGEST, cap: LONGEST },
      { type: 'bank', initial: LONGEST, increment: LONGEST, cap: LONGEST },
    ],
    // Without a cap, a bank never holds more than its initial time.
    [
      { type: 'bank', initial: 3600, seconds: null, noVacation: true },
      { type: 'bank', initial: 3600, increment: 0, cap: 3600, noVacation: true },
    ],
    [{ type: 'none' }, { type: 'none' }],
    [
      { type: 'none', seconds: null, noVacation: true },
      { type: 'none', noVacation: true },
    ],
  ])('%j', (given, made) => {
    expect(makeTimeControl(given)).toStrictEqual({ ok: true, value: made });
  });
});

describe('a refused time control', () => {
  test.each<[string, GivenTimeControl, RegExp]>([
    ['an unknown type', { type: 'hourglass', seconds: 60 }, /one of perMove, bank, none/],
    ['an empty type', { type: '' }, /one of perMove, bank, none/],
    ['a key that every object inherits', { type: 'toString' }, /one of/],
    ['the prototype key', { type: '__proto__' }, /one of/],
    ['a type in another case', { type: 'PerMove', seconds: 60 }, /one of/],
    ['a move time without seconds', { type: 'perMove' }, /from 60 .* to 5184000 .*got nothing/],
    ['a move of null', { type: 'perMove', seconds: null }, /from 60/],
    ['a move time of 0', { type: 'perMove', seconds: 0 }, /from 60/],
    ['a move of less than a minute', { type: 'perMove', seconds: 59 }, /from 60/],
    ['a move of more than 60 days', { type: 'perMove', seconds: LONGEST + 1 }, /60 days/],
    ['a move of half a second more', { type: 'perMove', seconds: 90.5 }, /from 60/],
    ['a move of no number', { type: 'perMove', seconds: Number.NaN }, /from 60/],
    ['an endless move', { type: 'perMove', seconds: Infinity }, /from 60/],
    ['a negative move', { type: 'perMove', seconds: -86_400 }, /from 60/],
    ['a move as text', { type: 'perMove', seconds: '3600' as unknown as number }, /from 60/],
    ['a move with a bank', { type: 'perMove', seconds: 60, initial: 60 }, /must be left out/],
    ['a move with an increment of 0', { type: 'perMove', seconds: 60, increment: 0 }, /must be left out/],
    ['a move with a cap', { type: 'perMove', seconds: 60, cap: 60 }, /must be left out/],
    ['a bank of nothing', { type: 'bank' }, /^timeControl.bank.initial .*from 60 /],
    ['a bank of less than a minute', { type: 'bank', initial: 59 }, /initial/],
    [
      'a bank of more than 60 days',
      { type: 'bank', initial: LONGEST + 1 },
      /^timeControl.bank.initial .*60 days/,
    ],
    ['a bank with fractions', { type: 'bank', initial: 3600.25 }, /initial/],
    ['a bank with seconds', { type: 'bank', initial: 3600, seconds: 60 }, /must be left out/],
    ['a cap below the initial time', { type: 'bank', initial: 3600, cap: 3599 }, /cap/],
    ['a cap above 60 days', { type: 'bank', initial: 3600, cap: LONGEST + 1 }, /cap .*60 days/],
    ['a cap of 0', { type: 'bank', initial: 3600, cap: 0 }, /cap/],
    ['a cap of no number', { type: 'bank', initial: 3600, cap: Number.NaN }, /cap/],
    ['a negative increment', { type: 'bank', initial: 3600, increment: -1 }, /increment/],
    ['an increment above the cap', { type: 'bank', initial: 3600, increment: 7201, cap: 7200 }, /increment/],
    ['a fractional increment', { type: 'bank', initial: 3600, increment: 0.5 }, /increment/],
    ['none with seconds', { type: 'none', seconds: 60 }, /must be left out/],
    ['none with a bank', { type: 'none', initial: 60 }, /must be left out/],
    ['none with an increment of 0', { type: 'none', increment: 0 }, /must be left out/],
    ['none with a cap', { type: 'none', cap: 60 }, /must be left out/],
  ])('%s', (_name, given, words) => {
    expect(makeTimeControl(given)).toMatchObject({
      refusal: {
        code: 'INVALID_TIME_CONTROL',
        field: expect.stringMatching(
          /^timeControl\.(type|(perMove|bank|none)\.(seconds|initial|increment|cap))$/,
        ) as string,
        message: expect.stringMatching(words) as string,
      },
    });
  });
});

test('no turn may last longer than the limit', () => {
  expect([MIN_MOVE_SECONDS, MAX_MOVE_SECONDS, CEILING_SECONDS]).toEqual([60, LONGEST, LONGEST]);
});

describe('what follows from a time control', () => {
  test.each<[TimeControl, number]>([
    [{ type: 'perMove', seconds: 60 }, 3_600_000],
    [{ type: 'perMove', seconds: 3601 }, 3_601_000],
    [bank, 3_600_000],
    [{ type: 'perMove', seconds: 3 * 86_400 }, 3 * DAY],
    [{ type: 'perMove', seconds: 3 * 86_400 + 1 }, 3 * DAY],
    [{ type: 'bank', initial: LONGEST, increment: 0, cap: LONGEST }, 3 * DAY],
    [{ type: 'none' }, 3 * DAY],
  ])(
    'a client seed is awaited for as long as a first move, from one hour to three days: %j',
    (control, wait) => {
      expect(seedDeadline(control, START)).toBe(START + wait);
    },
  );

  test.each<[TimeControl, number | null]>([
    [{ type: 'perMove', seconds: 60 }, 60],
    [bank, 600],
    [{ type: 'bank', initial: 3600, increment: 0, cap: 7200 }, 3600],
    [{ type: 'none' }, null],
  ])('the time given with %j is %p seconds', (control, gift) => {
    expect(giveableSeconds(control)).toBe(gift);
  });

  test.each<[TimeControl, number | null, object | null]>([
    [{ type: 'perMove', seconds: 60 }, 60, null],
    [bank, 3600, { first: 3600, second: 3600 }],
    [{ type: 'none' }, null, null],
  ])('a first turn of %j has %p seconds', (control, allowance, banks) => {
    expect(newClock(control).bank).toEqual(banks);
    expect(turnClock(control, newClock(control), 'first', START)).toEqual({
      ...newClock(control),
      allowance,
    });
  });

  test.each([
    ['what is left plus the increment', 1000, 3200],
    ['at most the cap, however fast the move was', 0, 4200],
    ['the increment when the bank was used up', 3600, 600],
    ['no less when the server was late', 9999, 600],
  ])('a bank holds %s', (_name, used, after) => {
    const clock = turnClock(bank, newClock(bank), 'first', START);
    expect(bankAfter(bank, clock, 'first', used)).toEqual({ first: after, second: 3600 });
  });

  test('a bank never holds more than its cap, including time that was given', () => {
    const clock = { ...turnClock(bank, newClock(bank), 'second', START), given: 3500 };
    expect(bankAfter(bank, clock, 'second', 0)).toEqual({ first: 3600, second: 7200 });
    expect(bankAfter(bank, clock, 'second', 3600)).toEqual({ first: 3600, second: 4100 });
  });

  test('there is no bank when no time is carried over', () => {
    const control: TimeControl = { type: 'perMove', seconds: 3600 };
    expect(bankAfter(control, turnClock(control, newClock(control), 'first', START), 'first', 1)).toBeNull();
  });

  test('a vacation stops the turn in which it begins, and no later turn', () => {
    const away = (from: number, until: number) => ({
      ...newClock(bank),
      away: { first: { from, until }, second: null },
    });
    const stops = (from: number, until: number) =>
      turnClock(bank, away(START + from, START + until), 'first', START).stops;
    expect(stops(-DAY, DAY)).toEqual([{ kind: 'vacation', from: 0, until: 86_400 }]);
    // A second that a stop touches does not count.
    expect(stops(-DAY, 1)).toEqual([{ kind: 'vacation', from: 0, until: 1 }]);
    expect(stops(-DAY, 0)).toEqual([]);
    expect(turnClock(bank, away(START, START + DAY), 'second', START).stops).toEqual([]);
  });
});
