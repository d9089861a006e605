import { readFileSync, writeFileSync } from 'node:fs';
import { GROUPS } from './tamperings.js';
import { RECORD_COLUMNS, type Group, type Tampering } from './tampering/tampering.js';

/** Each kind of tampering is found as the list beside this file says; `TAMPERINGS=write` rewrites it and its counts. */

const LIST = 'test/fairness/tamperings.md';
const COUNTS = 'docs/tamperings.md';
/** What follows this line is written here. */
const MARK = '<!-- From here on written by test/fairness/tamperings.test.ts -->';

interface Tried extends Tampering {
  readonly found: readonly (string | null)[];
}

const tried = async (tampering: Tampering): Promise<Tried> => ({
  ...tampering,
  found: await tampering.verdicts(),
});

/** Found by a holder of what the server has signed, even if the server tampers. */
const isFound = ({ found: [asItIs, hashedAgain = null, ...held] }: Tried): boolean =>
  [...(hashedAgain === null ? [asItIs] : []), hashedAgain, ...held].some((each) => each);

const cell = (found: string | null): string => (found === null ? '' : found === '' ? '-' : found);

/** What finds it of a receipt from before the end, the receipt of the end, and the proofs from the log. */
function heldCell([before, end, log]: readonly (string | null)[]): string {
  if ([before, end, log].every((each) => each == null)) return '';
  const receipt = before ? ['receipt'] : end ? ['receipt of the end'] : [];
  return [...receipt, ...(log ? ['log'] : [])].join(', ') || '-';
}
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function table({ title, columns }: Group, all: readonly Tried[]): string {
  const head = ['tampering', ...columns];
  const cells = (found: Tried['found']): readonly string[] =>
    columns === RECORD_COLUMNS ? [...found.slice(0, 2).map(cell), heldCell(found.slice(2))] : found.map(cell);
  const rows = all.map(({ name, found, harmless }) =>
    line([name, ...(harmless === undefined ? cells(found) : columns.map(() => 'harmless'))]),
  );
  return [`## ${title}`, [line(head), line(head.map(() => '---')), ...rows].join('\n'), ...reasons(all)].join('\n\n'); // prettier-ignore
}

/** Why some are not found, each reason once. */
const reasons = (all: readonly Tried[]): readonly string[] =>
  [...new Set(all.flatMap(({ harmless }) => harmless ?? []))].map((why) => {
    const names = all.filter(({ harmless }) => harmless === why).map(({ name }) => `"${name}"`);
    return `${names.join(', ')}: ${why}`;
  });

type Kind = 'alone' | 'held' | 'harmless';

/** What it takes to find it, if its author makes all hashes match. */
function kindOf({ found: [asItIs, hashedAgain], harmless }: Tried): Kind {
  if (harmless !== undefined) return 'harmless';
  return (hashedAgain ?? asItIs) ? 'alone' : 'held';
}

function counts({ title }: Group, all: readonly Tried[]): string {
  const count = (kind: Kind): string => String(all.filter((each) => kindOf(each) === kind).length || '');
  return line([title, String(all.length), ...(['alone', 'held', 'harmless'] as const).map(count)]);
}

const groups = Promise.all(
  GROUPS.map(async (group) => ({ group, all: await Promise.all(group.tamperings.map(tried)) })),
);

test('lists many kinds, each once', () => {
  const names = GROUPS.flatMap(({ title, tamperings }) => tamperings.map(({ name }) => `${title}: ${name}`));
  expect(names.length).toBeGreaterThan(250);
  expect(new Set(names).size).toBe(names.length);
});

test('finds nothing in games without tampering', async () => {
  const { BASES } = await import('./tampering/bases.js');
  const { findingsOf } = await import('./tampering/tampering.js');
  for (const base of Object.values(BASES)) {
    const { record, held } = await base();
    for (const shown of [{}, held.before, held.end ?? {}, held.log])
      expect(findingsOf(JSON.stringify(record), shown).filter(({ ok }) => ok === false)).toEqual([]);
  }
});

test('each kind is found by what a player or a stranger has, or documented as harmless', async () => {
  const all = (await groups).flatMap((each) => each.all);
  const missed = all.filter((each) => isFound(each) === (each.harmless !== undefined));
  expect(missed.map(({ name }) => name)).toEqual([]);
});

/** Compares the written part of a page. */
function expectWritten(page: string, text: string): void {
  const [head] = readFileSync(page, 'utf8').split(MARK);
  const due = `${head}${MARK}\n\n${text}\n`;
  if (process.env['TAMPERINGS'] === 'write') writeFileSync(page, due);
  expect(readFileSync(page, 'utf8')).toBe(due);
}

test('the list says what finds them', async () => {
  expectWritten(LIST, (await groups).map(({ group, all }) => table(group, all)).join('\n\n'));
});

test('the documentation has the counts of the list', async () => {
  const head = ['what is changed', 'ways', 'found alone', 'found by what you hold', 'harmless'];
  const rows = (await groups).map(({ group, all }) => counts(group, all));
  expectWritten(COUNTS, [line(head), line(head.map(() => '---')), ...rows].join('\n'));
});
