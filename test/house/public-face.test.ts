import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What GitHub shows of the project: the workflow and the forms call what exists. */

const files = readdirSync('.github', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));
const textOf = (file: string): string => readFileSync(file, 'utf8');
const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Readonly<Record<string, string>> };

test('the workflow runs the checks that a change must pass', () => {
  expect(textOf('.github/workflows/ci.yml')).toMatch(/^ +- run: npm run ci$/m);
});

test.each(files)('%s names scripts and pages that exist', (file) => {
  const text = textOf(file);
  for (const [, script] of text.matchAll(/npm run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(script);
  for (const [page] of text.matchAll(/\b[A-Z]+\.md\b/g)) expect(readdirSync('.')).toContain(page);
});

test.each(files.filter((file) => /ISSUE_TEMPLATE\/(?!config)/.test(file)))('%s is a form', (file) => {
  const text = textOf(file);
  for (const field of ['name', 'description', 'body']) expect(text).toMatch(new RegExp(`^${field}:`, 'm'));
  const ids = [...text.matchAll(/^ {4}id: (\w+)$/gm)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const questions = [...text.matchAll(/^ {2}- type: (?!markdown)/gm)].length;
  expect([ids.length, [...text.matchAll(/^ {6}label: ./gm)].length]).toEqual([questions, questions]);
});
