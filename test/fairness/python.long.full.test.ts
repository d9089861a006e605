import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { run } from '../../src/cli/verify.js';
import { line } from '../../src/cli/verify/print.js';
import type { GameRecord } from '../../src/fairness/record.js';
import { verify } from '../../src/fairness/verify.js';
import { rounds } from '../support/scale.js';
import { GAMES } from './games.js';
import { rechained } from './made.js';
import { differences, drawn, python, statusesIn, withPython } from './python.js';
import { changed, leavesOf, other, type Path } from './leaves.js';

/** Two verifiers, one written from docs/fairness.md alone, give the same results for the same records. */
// Long: it starts programs.

type Named = readonly (readonly [string, unknown])[];

const folder = mkdtempSync(join(tmpdir(), 'halfmove-python-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** One process for all of them; the extra record makes each have a heading. */
function disagreements(named: Named): readonly string[] {
  const files = named.map(([, record], at) => {
    const file = join(folder, `${at}.json`);
    writeFileSync(file, JSON.stringify(record));
    return file;
  });
  const found = python([...files, files[0]!]).text.split(/^== .*$/m).slice(1, -1); // prettier-ignore
  expect(found).toHaveLength(named.length);
  return named.flatMap(([name, record], at) => {
    const ours = verify(record).map(line).join('\n');
    return differences(statusesIn(ours), statusesIn(found[at]!)).map((each) => `${name}: ${each}`);
  });
}

/** An altered value, and the same with the chain rewritten. */
function forgeries(name: string, record: GameRecord, path: Path): Named {
  const forged = changed(record, path, other) as GameRecord;
  const at = `${name}, ${path.join('.')}`;
  return [
    [at, forged],
    [`${at}, hashed again`, rechained(forged, forged.rows)],
  ];
}

/** The leaves of a record by path: `ply.data.move`. */
function leavesByKind(record: GameRecord): readonly (readonly Path[])[] {
  const kindOf = (path: Path): string => {
    const type = path[0] === 'rows' ? record.rows[Number(path[1])]!.type : '';
    return type + path.filter((name) => !/^\d+$/.test(name)).join('.');
  };
  const leaves = leavesOf(record);
  return [...new Set(leaves.map(kindOf))].map((kind) => leaves.filter((path) => kindOf(path) === kind));
}

const parsed = (text: string): GameRecord => JSON.parse(text) as GameRecord;
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const KEPT = readdirSync(here('records')).map(
  (file) => [file, parsed(readFileSync(here(`records/${file}`), 'utf8'))] as const,
);
const MADE = GAMES.map(([name, make]) => [name, parsed(JSON.stringify(make().record))] as const);

const RECEIPTS = ['opening.txt', 'accepted.txt', 'receipt.txt'].flatMap((name) => ['--receipt', name]);

withPython('the verifier in Python', () => {
  it('gives the same results for the stored records', () => {
    expect(disagreements(KEPT)).toEqual([]);
  });

  it('gives the same results for games of all kinds', () => {
    expect(disagreements(MADE)).toEqual([]);
  });

  it('gives the same results where a value of any kind was altered', () => {
    const records = [...drawn(KEPT, rounds(KEPT.length, 1)), ...drawn(MADE, rounds(MADE.length, 2))];
    const forged = records.flatMap(([name, record]) =>
      leavesByKind(record).flatMap((paths) => forgeries(name, record, drawn(paths, 1)[0]!)),
    );
    expect(disagreements(forged)).toEqual([]);
  });

  it('gives the same results where any value is replaced by any other', () => {
    const anything = fc
      .tuple(
        fc.constantFrom(...KEPT, ...MADE),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(3),
        fc.jsonValue(),
      )
      .map(([[name, record], at, depth, value]) => {
        const leaves = leavesOf(record);
        const leaf = leaves[Math.floor(at * (leaves.length - 1))]!;
        const path = leaf.slice(0, Math.max(1, leaf.length - depth));
        return [
          `${name}, ${path.join('.')}: ${JSON.stringify(value)}`,
          changed(record, path, () => value),
        ] as const;
      });
    expect(disagreements(fc.sample(anything, rounds(2000, 60)))).toEqual([]);
  });

  it.each([
    ['nothing', [], 3],
    ['a receipt', ['--receipt', 'receipt.txt'], 3],
    ['a receipt and the keys', ['--receipt', 'receipt.txt', '--key', 'keys.txt'], 3],
    ['all receipts and the keys', [...RECEIPTS, '--key', 'keys.txt'], 0],
    [
      'what the accepter has',
      ['--player', 'accepter', '--receipt', 'opening.txt', '--receipt', 'receipt.txt', '--key', 'keys.txt'],
      0,
    ],
    [
      'what the creator has, except the receipt of the acceptance',
      ['--player', 'creator', '--receipt', 'opening.txt', '--receipt', 'receipt.txt', '--key', 'keys.txt'],
      3,
    ],
    ['all receipts except those of the end', [...RECEIPTS.slice(0, 4), '--key', 'keys.txt'], 3],
    ['all', [...RECEIPTS, '--proof', 'end.tlog-proof', '--key', 'keys.txt'], 0],
    ['a receipt for a proof', ['--proof', 'receipt.txt', '--key', 'keys.txt'], 1],
  ])('gives the same results for the worked example with %s', async (_, given, code) => {
    const args = [...given, 'record.json'].map((arg) =>
      arg.startsWith('--') || !arg.includes('.') ? arg : here(`example/${arg}`),
    );
    const lines: string[] = [];
    expect(await run(args, (text) => lines.push(text))).toBe(code);
    const theirs = python(args);
    expect(theirs.code).toBe(code);
    expect(differences(statusesIn(lines.join('\n')), statusesIn(theirs.text))).toEqual([]);
  });
});
