import { printKey, readKey } from '../../src/platform/contract/cursor-text.js';
import { Cursors } from '../../src/platform/contract/cursors.js';
import { DomainError } from '../../src/platform/errors/errors.js';
import type { Config } from '../../src/config.js';

const cursorsWith = (tokenSecret: string) => new Cursors({ tokenSecret } as Config);
const cursors = cursorsWith('a secret of the server that is long enough');
const PLACE = { at: new Date('2026-01-31T12:00:00.123Z'), id: '01890000-0000-7000-8000-000000000000' };

const games = () => cursors.of<typeof PLACE>('games', { player: 'ann', rated: true });
const cursor = games().make(PLACE);

test.each<[string, unknown]>([
  ['a position', PLACE],
  ['a number', 0],
  ['a string', 'x'],
  ['a tuple', [0, Date.UTC(9999, 0), 'x']],
  ['numbers that JSON cannot carry', [-0, Infinity, -Infinity, NaN]],
  ['the least and the most precise number', [Number.MIN_VALUE, 1700.1234567890123, Number.MAX_SAFE_INTEGER]],
  ['numbers of transactions', { tide: 2n ** 63n - 1n, id: 0n, part: -1n }],
  ['dates before and after the usual ones', [new Date(-1), new Date(8.64e15)]],
  ['any text', ['', '$date', '"\\\u2028\ud800', '將']],
  ['nothing and all at once', { at: null, is: [true, [], {}, { deep: [new Date(0), 1n] }] }],
])('returns the key that it was made from: %s', (_, key) => {
  const list = cursors.of('list');
  expect(list.open(list.make(key))).toEqual(key);
});

test('is the same for the same position, and different for another', () => {
  expect(games().make({ ...PLACE })).toBe(cursor);
  expect(
    games()
      .make({ ...PLACE, at: new Date(1) })
      .slice(0, 12),
  ).not.toBe(cursor.slice(0, 12));
});

test('is the same however its key was computed', () => {
  const list = cursors.of<readonly unknown[]>('list');
  const grown: unknown[] = [];
  [2, 1, 0].forEach((at) => (grown[at] = [1, 5, 'x'][at]));
  const wasDouble: unknown[] = [0.5, 5, 'x'];
  wasDouble[0] = 1;
  expect([list.make(grown), list.make(wasDouble)]).toEqual(Array(2).fill(list.make([1, 5, 'x'])));
});

test('is the same in any order of its parts', () => {
  expect(games().make({ id: PLACE.id, at: PLACE.at })).toBe(cursor);
});

test.each<[string, unknown]>([
  ['no value', [undefined]],
  ['a function', { at: () => 0 }],
  ['an invalid date', new Date(NaN)],
  ['a name that stands for a kind of value', { $date: 0 }],
])('is not made from what would not be read back: %s', (_, key) => {
  expect(() => cursors.of('list').make(key)).toThrow();
});

test('holds JSON, which any version of Node reads', () => {
  const key = { at: new Date(5), tide: 7n, rating: 0.1, none: [-0, null] };
  const text = '{"at":{"$date":5},"none":[{"$number":"-0"},null],"rating":0.1,"tide":{"$bigint":"7"}}';
  expect(printKey(key)).toBe(text);
  expect(readKey(text)).toEqual(key);
});

test.each(['', '{', '{"$date":0,"id":1}', '{"$map":[]}', '[{"$bigint":"x"}]', '{"$constructor":0}'])(
  'no key is read from %j',
  (text) => {
    expect(() => readKey(text)).toThrow(SyntaxError);
  },
);

test('is unreadable', () => {
  const bytes = Buffer.from(cursor, 'base64url').toString('latin1');
  expect(bytes).not.toContain('01890000');
  expect(bytes).not.toContain('id');
});

test.each([
  ['another name', cursors.of('lobby', { player: 'ann', rated: true })],
  ['another filter', cursors.of('games', { player: 'ann', rated: false })],
  ['another owner', cursors.of('games', { player: 'ben', rated: true })],
  ['no filter', cursors.of('games')],
  ['one more part', cursors.of('games', { player: 'ann', rated: true }, 'all')],
  ['another server', cursorsWith('the secret of another server, long enough').of('games', { player: 'ann', rated: true })], // prettier-ignore
])('is not valid for a list with %s', (_, list) => {
  expect(list.open(cursor)).toBeNull();
});

test('is valid for the same filter in any order', () => {
  expect(cursors.of('games', { rated: true, player: 'ann' }).open(cursor)).toEqual(PLACE);
});

test('is refused with one changed bit, when truncated, and when extended', () => {
  const bytes = Buffer.from(cursor, 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(games().open(changed.toString('base64url'))).toBeNull();
  }
  for (let length = 0; length < cursor.length; length++) {
    expect(games().open(cursor.slice(0, length))).toBeNull();
  }
  for (const more of ['A', '=', '==', ' ', '\u0000', 'é']) expect(games().open(cursor + more)).toBeNull();
});

test.each(['', 'x', '!', 'W10', '-'.repeat(36), Buffer.from('["games",1,2]').toString('base64url')])(
  'refuses a forged text with the field that it came in: %j',
  (text) => {
    const read = () => games().read(text, 'before');
    expect(read).toThrow(DomainError);
    expect(read).toThrow(
      expect.objectContaining({ code: 'INVALID_CURSOR', details: { field: 'before' } }) as Error,
    );
  },
);

test('a missing cursor is no position', () => {
  expect([games().read(null, 'after'), games().read(undefined, 'after')]).toEqual([null, null]);
  expect(games().read(cursor, 'after')).toEqual(PLACE);
});
