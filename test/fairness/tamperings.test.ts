import { readFileSync, writeFileSync } from 'node:fs';
import { GROUPS } from './tamperings.js';
import type { Group, Tampering } from './tampering/tampering.js';

/** Each kind of tampering is found as docs/tamperings.md tells; `TAMPERINGS=write` writes the tables there anew. */

const PAGE = 'docs/tamperings.md';
/** The tables stand behind this line. */
const MARK = '<!-- From here on written by test/fairness/tamperings.test.ts -->';

interface Tried extends Tampering {
  readonly found: readonly (string | null)[];
}

const tried = async (tampering: Tampering): Promise<Tried> => ({
  ...tampering,
  found: await tampering.verdicts(),
});

/** By whoever holds what the server has signed, also where it is the server that tampers. */
const isFound = ({ found: [asItIs, hashedAgain = null, ...held] }: Tried): boolean =>
  [...(hashedAgain === null ? [asItIs] : []), hashedAgain, ...held].some((each) => each);

const cell = (found: string | null): string => (found === null ? '' : found === '' ? '-' : found);
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function table({ title, columns }: Group, all: readonly Tried[]): string {
  const head = ['tampering', ...columns];
  const rows = all.map(({ name, found, unfound }) =>
    line([name, ...(unfound === undefined ? found.map(cell) : columns.map(() => unfound.word))]),
  );
  return [`## ${title}`, [line(head), line(head.map(() => '---')), ...rows].join('\n'), ...reasons(all)].join('\n\n'); // prettier-ignore
}

/** Why some are not found, each reason once. */
const reasons = (all: readonly Tried[]): readonly string[] =>
  [...new Set(all.flatMap(({ unfound }) => unfound?.why ?? []))].map((why) => {
    const names = all.filter(({ unfound }) => unfound?.why === why).map(({ name }) => `"${name}"`);
    return `${names.join(', ')}: ${why}`;
  });

const groups = Promise.all(
  GROUPS.map(async (group) => ({ group, all: await Promise.all(group.tamperings.map(tried)) })),
);

test('there are many kinds, each once', () => {
  const names = GROUPS.flatMap(({ title, tamperings }) => tamperings.map(({ name }) => `${title}: ${name}`));
  expect(names.length).toBeGreaterThan(250);
  expect(new Set(names).size).toBe(names.length);
});

test('nothing is found in games that nobody tampered with', async () => {
  const { BASES } = await import('./tampering/bases.js');
  const { findingsOf } = await import('./tampering/tampering.js');
  for (const base of Object.values(BASES)) {
    const { record, held } = await base();
    for (const shown of [{}, held.before, held.end ?? {}, held.log])
      expect(findingsOf(JSON.stringify(record), shown).filter(({ ok }) => ok === false)).toEqual([]);
  }
});

test('each is found by what a player or a stranger holds, or told to be harmless or a limit', async () => {
  const all = (await groups).flatMap((each) => each.all);
  const missed = all.filter((each) => isFound(each) === (each.unfound !== undefined));
  expect(missed.map(({ name }) => name)).toEqual([]);
});

test('the page has what finds them', async () => {
  const tables = (await groups).map(({ group, all }) => table(group, all)).join('\n\n');
  const [head] = readFileSync(PAGE, 'utf8').split(MARK);
  const due = `${head}${MARK}\n\n${tables}\n`;
  if (process.env['TAMPERINGS'] === 'write') writeFileSync(PAGE, due);
  expect(readFileSync(PAGE, 'utf8')).toBe(due);
});
