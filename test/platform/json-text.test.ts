import fc from 'fast-check';
import { JsonText, writeJson } from '../../src/platform/http/json-text.js';

const json = fc.jsonValue().filter((value) => value !== null);

/** A value as JSON in up to three parts, some of them as they are sent. */
const written = fc
  .tuple(json, fc.nat(), fc.nat(), fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()))
  .map(([value, a, b, kinds]) => {
    const characters = [...JSON.stringify(value)];
    const [from, to] = [a % characters.length, b % characters.length].sort((x, y) => x - y) as [
      number,
      number,
    ];
    const parts = [characters.slice(0, from), characters.slice(from, to), characters.slice(to)];
    const texts = parts.map((part) => part.join(''));
    return { value, text: new JsonText(...texts.map((text, i) => (kinds[i] ? Buffer.from(text) : text))) };
  });

test('values that are written already are sent as JSON.stringify would write them', () => {
  fc.assert(
    fc.property(written, ({ value, text }) => {
      expect(String(writeJson(text))).toBe(JSON.stringify(value));
    }),
  );
});

test('so are pages of them', () => {
  const more = fc.dictionary(
    fc.string().filter((name) => name !== 'items' && name !== '__proto__' && !/^\d+$/.test(name)),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(fc.array(fc.option(written)), more, (items, rest) => {
      const page = { items: items.map((item) => item && item.text), ...rest };
      const expected = { items: items.map((item) => item && item.value), ...rest };
      expect(String(writeJson(page))).toBe(JSON.stringify(expected));
    }),
  );
});

test('an answer with other values is written as it is', () => {
  fc.assert(fc.property(json, (value) => expect(writeJson(value)).toBe(JSON.stringify(value))));
});
