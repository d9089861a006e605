import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The faults of test/planted still apply to the current source. */

const FOLDER = 'test/planted';
const names = readdirSync(FOLDER);
const textOf = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

// While one of them is planted, those that touch the same lines do not apply.
const whileNoneIsPlanted = process.env['PLANTED'] ? describe.skip : describe;

test('there are at least twenty, each with its own number', () => {
  expect(names.length).toBeGreaterThanOrEqual(20);
  expect(names.filter((name) => !/^\d\d-[a-z0-9-]+\.patch$/.test(name))).toEqual([]);
  expect(new Set(names.map((name) => name.slice(0, 2))).size).toBe(names.length);
});

test.each(names)('%s describes the fault in a sentence, and changes only sources', (name) => {
  const [prose, ...diffs] = textOf(name).split(/^diff --git .*\n/m);
  expect(prose).toMatch(/^[A-Z].+\.\n\n$/s);
  const paths = diffs.flatMap((diff) => diff.match(/^(?:---|\+\+\+) .+$/gm) ?? []);
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !/^(?:--- a|\+\+\+ b)\/(?:src|packages)\//.test(path))).toEqual([]);
});

whileNoneIsPlanted('in the current source', () => {
  test.each(names)('%s applies', (name) => {
    execFileSync('git', ['apply', '--check', join(FOLDER, name)], { stdio: 'pipe' });
  });
});
