import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'; // prettier-ignore
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * A release, prepared in a clone by the real npm and git. No Docker engine runs in the tests: a program in its place
 * writes down how it was called.
 */

const BUILT = ['dist', 'src/generated', 'packages/client/dist', 'packages/client/src/generated'];

let clone: string;
const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: clone, encoding: 'utf8' }).trim();
const read = (path: string): string => readFileSync(join(clone, path), 'utf8');
const versionIn = (path: string): unknown => JSON.parse(read(path)).version;

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'halfmove-release-'));
  execFileSync('git', ['clone', '--quiet', '.', clone]);
  symlinkSync(resolve('node_modules'), join(clone, 'node_modules'));
  for (const folder of BUILT) cpSync(folder, join(clone, folder), { recursive: true });
  cpSync('scripts/release.mjs', join(clone, 'scripts/release.mjs'));
  mkdirSync(join(clone, '.cache/bin'), { recursive: true });
  writeFileSync(join(clone, '.cache/bin/docker'), '#!/bin/sh\necho "$@" >> .cache/docker.log\n');
  chmodSync(join(clone, '.cache/bin/docker'), 0o755);
  // A link is not what .gitignore names.
  writeFileSync(join(clone, '.git/info/exclude'), 'node_modules\n');
  git('config', 'user.name', 'Tester');
  git('config', 'user.email', 'tester@example.org');
  git('commit', '--quiet', '--all', '--allow-empty', '--message', 'As it is here');
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

function release(args: readonly string[], path = process.env['PATH']!): string {
  const env = { ...process.env, PATH: path };
  const { stdout, stderr, status } = spawnSync(process.execPath, ['scripts/release.mjs', ...args], { cwd: clone, env, encoding: 'utf8' }); // prettier-ignore
  return `${status}: ${stdout}${stderr}`;
}

test.each([
  [[], /^1: Name the version as MAJOR\.MINOR\.PATCH/],
  [['next'], /^1: Name the version/],
  [['0.0.9', '--no-image'], /^1: Version 0\.0\.9 is older than \d/],
  [['9.0.0', 'now'], /^1: Unknown: now/],
])('refuses %j', (args, words) => {
  expect(release(args)).toMatch(words);
});

test('refuses a checkout with changes, and changes nothing', () => {
  writeFileSync(join(clone, 'README.md'), `${read('README.md')}\n`);
  expect(release(['9.0.0', '--no-image'])).toMatch(/^1: There are changes that are not committed/);
  git('checkout', '--quiet', '--', 'README.md');
  expect(git('status', '--porcelain')).toBe('');
});

test('packs the client and the image, and writes the version and the head of the changelog', () => {
  const before = read('CHANGELOG.md');
  const bin = `${join(clone, '.cache/bin')}:${process.env['PATH']}`;
  expect(release(['9.0.0'], bin)).toMatch(/^0: (.*\n)*Made release\/halfmove-client-9\.0\.0\.tgz and release\/halfmove-image-9\.0\.0\.tar, /); // prettier-ignore
  expect(existsSync(join(clone, 'release/halfmove-client-9.0.0.tgz'))).toBe(true);
  expect(read('.cache/docker.log')).toBe(
    '--version\nbuild --tag halfmove:9.0.0 .\nsave --output release/halfmove-image-9.0.0.tar halfmove:9.0.0\n',
  );
  const paths = ['package.json', 'package-lock.json', 'packages/client/package.json'];
  expect(paths.map(versionIn)).toEqual(['9.0.0', '9.0.0', '9.0.0']);
  const [head, released] = read('CHANGELOG.md').split(/^## \[9\.0\.0\] - \d{4}-\d\d-\d\d\n\n/m);
  expect(head).toMatch(/## \[Unreleased\]\n\n$/);
  expect(released).toBe(before.slice(before.indexOf('### ')));
  expect([git('status', '--porcelain'), git('log', '-1', '--format=%s'), git('tag')]).toEqual(['', 'Release 9.0.0', 'v9.0.0']); // prettier-ignore
});

test('refuses a version twice, and one without entries', () => {
  expect(release(['9.0.0', '--no-image'])).toMatch(/^1: Version 9\.0\.0 is already released/);
  expect(release(['9.0.1', '--no-image'])).toMatch(/^1: CHANGELOG\.md has no entries/);
});
