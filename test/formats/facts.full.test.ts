import fc from 'fast-check';
import { read, write } from '../../src/formats/formats.js';
import { JSON_FIELDS, writeJson } from '../../src/formats/json-writer.js';
import { LIMITS, type Facts } from '../../src/formats/score.js';
import { runs } from '../support/scale.js';
import { scoresOf } from './lines.js';

/** What only JSON contains of a game: its server, players and fairness, whole or in selected fields. */

const score = scoresOf('chess').find(({ start }) => start === null)!;

const isSaid = (value: unknown): boolean =>
  value !== null && (typeof value !== 'object' || Object.values(value).some(isSaid));

const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null });
const text = maybe(
  fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme-ascii' }).filter((word) => word !== '?'),
);
const player = fc.record({
  id: text,
  rating: maybe(fc.integer({ min: 0, max: 400_000 }).map((hundredths) => hundredths / 100)),
  ratingDiff: maybe(fc.integer({ min: -90_000, max: 90_000 }).map((hundredths) => hundredths / 100)),
});
const fairness = fc.record({
  format: maybe(fc.constantFrom(1, 2)),
  ...{ commitment: text, dealRoot: text, creator: text, creatorSeed: text, accepterSeed: text },
  clientSeeds: fc.record({ first: text, second: text }),
  ...{ headHash: text, serverSeed: text, record: text },
});
const facts: fc.Arbitrary<Facts> = fc.record({
  rulesetVersion: maybe(fc.nat(LIMITS.whole)),
  rated: maybe(fc.boolean()),
  players: fc.record({ first: player, second: player }),
  fairness: maybe(fairness),
});

test('are read back from JSON unchanged, and are in no other format', () => {
  fc.assert(
    fc.property(facts, (said) => {
      const whole = { ...score, facts: isSaid(said) ? said : null };
      expect(read(write(whole, 'json')!)).toEqual({ ok: true, value: [whole] });
      expect(write(whole, 'pgn')).toBe(write({ ...score, facts: null }, 'pgn'));
    }),
    runs(200),
  );
});

test('a game in JSON has the selected fields in a fixed order, and is read unless a required one is missing', () => {
  fc.assert(
    fc.property(fc.subarray([...JSON_FIELDS]), (names) => {
      const line = writeJson(score, new Set([...names].reverse()));
      expect(Object.keys(JSON.parse(line) as object)).toEqual(['format', 'version', ...names]);
      expect(read(line).ok).toBe(names.includes('ruleset') && names.includes('plies'));
    }),
    runs(100),
  );
});

test('accepts a name for a player', () => {
  const said = { ...(JSON.parse(write(score, 'json')!) as object), players: { first: 'Ada', second: null } };
  const back = read(JSON.stringify(said));
  expect(back).toMatchObject({ ok: true, value: [{ players: { first: 'Ada', second: null }, facts: null }] });
});

test.each([
  ['"rated":1', '"rated" must be true or false; got 1.'],
  ['"rulesetVersion":1.5', `"rulesetVersion" must be a whole number from 0 to ${LIMITS.whole}; got 1.5.`],
  ['"players":{"first":5}', '"first" must be a text of at most 1000 printable characters; got'],
  ['"players":{"first":{"elo":1500}}', '"first" must not have a field "elo".'],
  [
    '"players":{"first":{"rating":"1500"}}',
    `"rating" must be a number from -${LIMITS.whole} to ${LIMITS.whole}; got "1500".`,
  ],
  ['"fairness":{"serverSeed":7}', '"serverSeed" must be a text of at most 1000 printable characters; got'],
  ['"fairness":[]', '"fairness" must be an object.'],
])('refuses %s', (part, message) => {
  const back = read(`{"format":"halfmove-game","version":1,"ruleset":"chess","plies":[],${part}}`);
  expect(back).toMatchObject({ ok: false, refusal: { message: expect.stringContaining(message) } });
});
