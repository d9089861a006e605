import { readFileSync, writeFileSync } from 'node:fs';
import { run } from '../../src/cli/verify.js';
import { ARGUMENTS, files, FOLDER } from './worked-example.js';
import { page } from './worked-page.js';

/** docs/fairness-example.md is what the code computes. WRITE_EXAMPLE=1 rewrites it and its files. */

const PAGE = 'docs/fairness-example.md';
const isWriting = process.env['WRITE_EXAMPLE'] === '1';

async function verified(): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  return { code: await run(ARGUMENTS, (text) => lines.push(text)), lines };
}

if (isWriting) for (const [name, text] of Object.entries(files)) writeFileSync(`${FOLDER}/${name}`, text);

test.each(Object.entries(files))('%s is stored as computed', (name, text) => {
  expect(readFileSync(`${FOLDER}/${name}`, 'utf8')).toBe(text);
});

test('the verify program finds no fault in it', async () => {
  const { code, lines } = await verified();
  expect(lines.filter((line) => !/^(ok|-) /.test(line))).toEqual([]);
  expect(code).toBe(0);
});

test('the page shows it byte by byte', async () => {
  const { lines } = await verified();
  const due = page(lines);
  if (isWriting) writeFileSync(PAGE, due);
  expect(readFileSync(PAGE, 'utf8')).toBe(due);
});
