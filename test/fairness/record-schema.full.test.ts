import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { formFaults, RECORD_SCHEMA } from '../../src/fairness/record.js';
import { runs } from '../support/scale.js';
import { GAMES } from './games.js';

/** The OpenAPI schema of a record covers what the verifier checks. */

const FOLDER = 'test/fairness/records';
const kept = readdirSync(FOLDER).map(
  (name) => [name, JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8')) as unknown] as const,
);

const matches = new Ajv({ strict: true, allowUnionTypes: true }).compile(RECORD_SCHEMA);

test.each([...kept, ...GAMES.map(([name, make]) => [name, make().record] as const)])(
  '%s matches',
  (_, record) => {
    expect([matches(record), matches.errors]).toEqual([true, null]);
  },
);

const JUNK = [null, 0, -1, 1.5, 3000, 2 ** 60, '', 'x', 'y'.repeat(1001), '0'.repeat(32), '0'.repeat(64), 'first', 'end', true, [], ['x'], [1], {}, { x: 1 }, { x: { y: 1 } }]; // prettier-ignore
type Node = Record<string, unknown>;

/** All nested objects and lists, beginning with the value itself. */
const nodesOf = (value: unknown): readonly Node[] =>
  typeof value === 'object' && value !== null
    ? [value as Node, ...Object.values(value).flatMap((part) => nodesOf(part))]
    : [];

/** The record with a part replaced, removed or added; numbers choose which. */
function broken(record: unknown, [node, name, value, kind]: readonly number[]): unknown {
  const copy = structuredClone(record);
  const nodes = nodesOf(copy);
  const at = nodes[node! % nodes.length]!;
  const names = Object.keys(at);
  const key = kind === 0 || names.length === 0 ? 'stranger' : names[name! % names.length]!;
  if (kind === 1 && !Array.isArray(at)) delete at[key];
  else if (!(Array.isArray(at) && key === 'stranger')) at[key] = structuredClone(JUNK[value! % JUNK.length]);
  return copy;
}

const change = fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.integer({ min: 0, max: 4 }));

test('an altered record matches the schema if and only if its form is valid', () => {
  fc.assert(
    fc.property(fc.constantFrom(...kept), change, ([, record], how) => {
      const altered = broken(record, how);
      const faults = formFaults(altered);
      // No schema says that a row without a turn-up has no proof.
      fc.pre(!faults.some((fault) => fault.endsWith('it turned nothing up')));
      expect([faults, matches(altered)]).toEqual([faults, faults.length === 0]);
    }),
    runs(2000),
  );
});
