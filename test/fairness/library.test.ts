import { readdirSync, readFileSync } from 'node:fs';
import * as direct from '../../src/fairness/library.js';
import { rulesetById } from '../../src/rules/registry.js';
import { bundled } from '../support/library.js';
import { movesOf, played, wandering } from './played.js';
import { short, whole } from './verified.js';

/** dist/verify.js in a browser has the same results as the sources here. */

const library = bundled();

const RECORDS = 'test/fairness/records';
const stored = readdirSync(RECORDS).map((name) => [
  name,
  JSON.parse(readFileSync(`${RECORDS}/${name}`, 'utf8')),
]);

const records: Readonly<Record<string, unknown>> = {
  'dealt, resigned': short,
  'dealt, played to the end': whole,
  'drawn set-up': played(rulesetById('half-court-chess')!, wandering(20)),
  chess: played(rulesetById('chess')!, movesOf(['f2f3', 'e7e5', 'g2g4', 'd8h4'])),
  running: { ...short, serverSeed: null, deal: null, outcome: null, status: 'active' },
  'forged in a row': { ...short, plies: short.plies.with(3, { ...short.plies[3]!, san: 'a1(K)' }) },
  'forged in the seed': { ...whole, serverSeed: '0'.repeat(64) },
  'no record': { status: 404, code: 'NOT_FOUND', detail: 'No such game.' },
};

/** Without the prototypes of another context. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('exports the same as the sources', () => {
  expect(Object.keys(library).sort()).toEqual(Object.keys(direct).sort());
});

test.each([...Object.entries(records), ...stored])('has the same results for a record: %s', (_, record) => {
  const given = JSON.stringify(record);
  const read = library.parseStrict(given);
  expect(read.ok).toBe(true);
  if (!read.ok) return;
  expect(plain(read.value)).toEqual(JSON.parse(given));
  const findings = library.verify(read.value, { hash: '0'.repeat(64) });
  const expected = direct.verify(JSON.parse(given), { hash: '0'.repeat(64) });
  expect(plain(findings)).toEqual(plain(expected));
  expect(library.holds(findings)).toBe(direct.holds(expected));
  expect(library.isComplete(findings)).toBe(direct.isComplete(expected));
});

test('refuses what the sources refuse', () => {
  for (const text of ['', '{"a":1,"a":2}', '[1.5]', '"\\ud800"']) {
    expect(plain(library.parseStrict(text))).toEqual(plain(direct.parseStrict(text)));
  }
});
