import fc from 'fast-check';
import { parseStrict } from '../../src/fairness/strict-json.js';

/** Accepted texts give what JSON.parse gives; texts that programs read differently are refused with the position. */

const message = (text: string): string => {
  const parsed = parseStrict(text);
  return parsed.ok ? 'taken' : parsed.refusal.message;
};

const name = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('__proto__', 'constructor', ''));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ maxDepth: 5, withCrossShrink: true }, tie('leaf'), tie('list'), tie('object')),
  leaf: fc.oneof(
    fc.maxSafeInteger().map((whole) => whole || 0),
    fc.string({ unit: 'grapheme' }),
    fc.boolean(),
    fc.constant(null),
  ),
  list: fc.array(tie('tree'), { maxLength: 5 }),
  object: fc
    .uniqueArray(fc.tuple(name, tie('tree')), { maxLength: 5, selector: ([key]) => key })
    .map((fields) => Object.fromEntries(fields) as unknown),
}));

describe('parseStrict', () => {
  it('reads what JSON.stringify writes, with and without spaces', () => {
    fc.assert(
      fc.property(tree, fc.constantFrom('', ' ', '\t', '\r\n'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(parseStrict(`${space}${text}${space}`)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it('accepts no text that JSON.parse refuses, and reads all others as it does', () => {
    const piece = fc.constantFrom(...'{ } [ ] , : "a" "b" "\\u00e4" "\\u" 0 1 -1 01 1.5 1e3 -0 true null nul \uFEFF'.split(' '), ' '); // prettier-ignore
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const parsed = parseStrict(text);
        if (parsed.ok) expect(parsed.value).toEqual(JSON.parse(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('makes own properties of every name', () => {
    const parsed = parseStrict('{"__proto__": {"admin": true}}');
    expect(parsed.ok && Object.keys(parsed.value as object)).toEqual(['__proto__']);
    expect(parsed.ok && (parsed.value as { admin?: boolean }).admin).toBeUndefined();
  });

  it.each([
    [
      'a name twice',
      '{"a": {"b": 1,\n "\\u0062": 2}}',
      /^Line 2, column 2: The field "b" is given a second time/,
    ],
    ['a name twice, spelled with an escape', '{"a": 1, "\\u0061": 2}', /^Line 1, column 10: /],
    [
      'half of a surrogate pair',
      '{"rows": [{"san": "\\ud83c"}]}',
      /^Line 1, column 19: \$\.rows\[0\]\.san must be valid Unicode/,
    ],
    ['half of a surrogate pair, escaped', '["\udf00"]', /^Line 1, column 2: \$\[0\] must be valid Unicode/],
    [
      'half of a surrogate pair in a name',
      '{"a": {"\\udc00": 1}}',
      /^Line 1, column 18: The names in \$\.a must be valid Unicode/,
    ],
    ['a fraction', '{"a b": 1.5}', /^Line 1, column 9: \$\["a b"\] must be a whole number/],
    ['a whole number in another notation', '[1.0]', /^Line 1, column 2: \$\[0\] must be/],
    ['an exponent', '1e3', /^Line 1, column 1: \$ must be/],
    ['a negative zero', '[-0]', /must be/],
    ['a number that is rounded', '[9007199254740993]', /must be/],
    ['the first number that may be rounded', '[9007199254740992]', /must be/],
    ['an infinite number', '[1e999]', /must be/],
    ['a number of many digits', `[${'9'.repeat(400)}]`, /^Line 1, column /],
    ['a byte order mark', '\uFEFF{}', /Expected a value/],
    ['a byte order mark inside', '{\uFEFF}', /Expected the name/],
    ['another space character', '[\u00a01]', /Expected a value/],
    ['two values', '{} {}', /^Line 1, column 4: Expected the end of the text; found "\{"/],
    ['nothing', ' ', /Expected a value; found the end of the text/],
    ['an extra comma', '[1,]', /Expected a value; found "]"/],
    ['a comment', '[/* */]', /Expected a value/],
    ['a control character in a string', '["\n"]', /not valid JSON/],
    ['an invalid start of a value', 'NaN', /Expected a value/],
    [
      'a deep list',
      '['.repeat(100_000),
      /^Line 1, column 18: A record must not be nested more than 16 levels deep/,
    ],
    ['a long list', `[${'1,'.repeat(500_000)}1]`, /A record must have at most 500000 values/],
    [
      'a long string',
      ' '.repeat(2 ** 24 + 1),
      /A record must have at most 16777216 characters; this one has 16777217/,
    ],
  ])('refuses %s', (_, text, words) => {
    expect(message(text)).toMatch(words);
  });

  it('accepts the greatest safe numbers', () => {
    expect(parseStrict('[9007199254740991,-9007199254740991,0]')).toEqual({
      ok: true,
      value: [2 ** 53 - 1, 1 - 2 ** 53, 0],
    });
  });
});
