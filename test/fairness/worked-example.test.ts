import { readFileSync, writeFileSync } from 'node:fs';
import { run } from '../../src/cli/verify.js';
import { ARGUMENTS, files, FOLDER } from './worked-example.js';
import { section } from './worked-page.js';

/** The worked example of docs/fairness.md is what the code computes. WRITE_EXAMPLE=1 writes it and its files anew. */

const PAGE = 'docs/fairness.md';
const HEADING = '## A game of Banqi, byte by byte\n';
const NEXT = '\n## Format 1\n';
const isWriting = process.env['WRITE_EXAMPLE'] === '1';

async function verified(): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  return { code: await run(ARGUMENTS, (text) => lines.push(text)), lines };
}

if (isWriting) for (const [name, text] of Object.entries(files)) writeFileSync(`${FOLDER}/${name}`, text);

test.each(Object.entries(files))('%s is kept as it is computed', (name, text) => {
  expect(readFileSync(`${FOLDER}/${name}`, 'utf8')).toBe(text);
});

test('the verify program finds nothing to doubt in it', async () => {
  const { code, lines } = await verified();
  expect(lines.filter((line) => !/^(ok|-) /.test(line))).toEqual([]);
  expect(code).toBe(0);
});

test('the page tells it byte by byte', async () => {
  const { lines } = await verified();
  const page = readFileSync(PAGE, 'utf8');
  const [from, to] = [page.indexOf(HEADING), page.indexOf(NEXT)];
  const due = section(lines);
  if (isWriting) writeFileSync(PAGE, `${page.slice(0, from < 0 ? to + 1 : from)}${due}${page.slice(to)}`);
  else expect(page.slice(from, to)).toBe(due);
});
