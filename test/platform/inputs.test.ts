import { moment, wholeNumber } from '../../src/platform/contract/fields.js';
import { DateTimeScalar } from '../../src/platform/contract/scalars.js';
import { InputPipe } from '../../src/platform/contract/input.pipe.js';

/** Strings that stand for values. */

describe('a time', () => {
  const { check } = moment();

  test.each([
    ['2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00.000Z'],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
    ['2026-01-31T12:00:00.5+02:30', '2026-01-31T09:30:00.500Z'],
    ['1970-01-01T00:00:00+14:00', '1969-12-31T10:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('is %s', (text, moment) => {
    expect(DateTimeScalar.parseValue(text).toISOString()).toBe(moment);
    expect(check.parse(text)).toEqual(new Date(moment));
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
    expect(() => DateTimeScalar.parseValue(text)).toThrow('DateTime must be a time');
    expect(check.safeParse(text).success).toBe(false);
  });
});

test('reads a whole number in an address as people write it', () => {
  const read = wholeNumber().read!;
  for (const [text, number] of [['0', 0], ['20', 20], ['-3', -3]] as const) {
    expect(read(text)).toBe(number);
  } // prettier-ignore
  for (const text of ['', ' ', '0x10', '1e3', '1.5', '+1', '٣', '9'.repeat(16), ['1'], null, undefined]) {
    expect(read(text)).toBe(text);
  }
});

test('never accepts a parameter whose class does not describe its fields', () => {
  const pipe = new InputPipe();
  for (const metatype of [Object, Array, class {}, undefined]) {
    expect(() => pipe.transform({ gameId: 'x' }, { type: 'body', metatype })).toThrow('has no input class');
  }
  expect(pipe.transform('ann', { type: 'body', metatype: String, data: 'username' })).toBe('ann');
});
