import { readdirSync, readFileSync } from 'node:fs';
import * as direct from '../../src/fairness/library.js';
import { rulesetById } from '../../src/rules/registry.js';
import { bundled } from '../support/library.js';
import type { GameRecord } from '../../src/fairness/record.js';
import { GAMES } from './games.js';
import { Made, rechained } from './made.js';

/** dist/verify.js in a browser has the same results as the sources here. */

const library = bundled();

const RECORDS = 'test/fairness/records';
const stored = readdirSync(RECORDS).map((name) => [
  name,
  JSON.parse(readFileSync(`${RECORDS}/${name}`, 'utf8')),
]);

const dealt = new Made(rulesetById('banqi-taiwan')!).wander(12).act('first', 'resign').record;
const forged: GameRecord = rechained(
  dealt,
  dealt.rows.map((row) => (row.type === 'ply' ? { ...row, data: { ...row.data, san: 'a1(K)' } } : row)),
);

const records: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(GAMES.map(([name, make]) => [name, make().record])),
  'forged in a row': forged,
  'forged in the seed': { ...dealt, serverSeed: '0'.repeat(64) },
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
