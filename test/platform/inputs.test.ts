import { DateTimeScalar } from '../../src/platform/graphql/scalars.js';
import { momentOf, wholeNumberOf } from '../../src/platform/texts.js';

/** Texts that stand for values. */

describe('a moment', () => {
  test.each([
    ['2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00.000Z'],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
    ['2026-01-31T12:00:00.5+02:30', '2026-01-31T09:30:00.500Z'],
    ['1970-01-01T00:00:00+14:00', '1969-12-31T10:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('is %s', (text, moment) => {
    expect(DateTimeScalar.parseValue(text).toISOString()).toBe(moment);
    expect(momentOf({ value: text })).toEqual(new Date(moment));
  });

  test.each([
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '1969-12-31T23:59:59Z',
    '2026-02-30T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-31',
    '2026-01-31T12:00:00',
    '9999-12-31T23:59:59-14:00',
    '+010000-01-01T00:00:00Z',
    'tomorrow',
    '',
  ])('is not %j', (text) => {
    expect(() => DateTimeScalar.parseValue(text)).toThrow('A moment is written as');
    expect(momentOf({ value: text })).toBe(text);
  });
});

test('a whole number in an address is one as people write it', () => {
  for (const [text, number] of [['0', 0], ['20', 20], ['-3', -3]] as const) {
    expect(wholeNumberOf({ value: text })).toBe(number);
  } // prettier-ignore
  for (const text of ['', ' ', '0x10', '1e3', '1.5', '+1', '٣', '9'.repeat(16), ['1'], null, undefined]) {
    expect(wholeNumberOf({ value: text })).toBe(text);
  }
});
