import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from './build.mjs';
import { UserError, checkTools, inRoot, main, root } from './support.mjs';

/**
 * Prepares a release from a clean checkout; nothing is sent anywhere.
 *
 *   npm run release -- VERSION              packs the client and the image into release/
 *   npm run release -- VERSION --no-image   packs the client alone, where there is no Docker
 *
 * Writes the version and the head of CHANGELOG.md, and commits and tags them. If anything fails, the checkout is as it
 * was before.
 */

const CLIENT = 'packages/client';
const FOLDER = 'release';
const WRITTEN = ['package.json', 'package-lock.json', `${CLIENT}/package.json`, 'CHANGELOG.md'];
const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const HEAD = '## [Unreleased]\n';

const read = (path) => readFileSync(inRoot(path), 'utf8');
const run = (command, ...args) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();

const numbersOf = (version) => version.split('-')[0].split('.').map(Number);

/** Below zero if the first is older; a pre-release is as its version. */
function compared(one, other) {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  const at = a.findIndex((number, i) => number !== b[i]);
  return at < 0 ? 0 : a[at] - b[at];
}

function assertCanRelease(version, withImage) {
  if (!VERSION.test(version ?? ''))
    throw new UserError('Name the version as MAJOR.MINOR.PATCH: npm run release -- 1.2.3.');
  const { version: present } = JSON.parse(read('package.json'));
  if (compared(version, present) < 0)
    throw new UserError(`Version ${version} is older than ${present}, which package.json has.`);
  if (run('git', 'tag', '--list', `v${version}`) !== '')
    throw new UserError(`Version ${version} is already released: there is a tag v${version}.`);
  if (run('git', 'status', '--porcelain') !== '')
    throw new UserError('There are changes that are not committed. Commit or stash them, then try again.');
  if (!/^- /m.test(unreleased())) throw new UserError('CHANGELOG.md has no entries under [Unreleased].');
  if (withImage && spawnSync('docker', ['--version']).status !== 0)
    throw new UserError('Docker is missing. Install it, or leave the image out with --no-image.');
}

/** What CHANGELOG.md says of the next release, from its first heading on. */
function unreleased() {
  const [, after] = read('CHANGELOG.md').split(HEAD);
  if (after === undefined) throw new UserError('CHANGELOG.md has no section [Unreleased].');
  const section = after.split(/^## \[/m)[0];
  const start = section.search(/^### /m);
  return start < 0 ? '' : section.slice(start);
}

function writeVersion(version) {
  for (const path of ['package.json', `${CLIENT}/package.json`])
    writeFileSync(inRoot(path), read(path).replace(/"version": "[^"]*"/, `"version": "${version}"`));
  // The lockfile has it twice, before the versions of all packages.
  let left = 2;
  const lock = read('package-lock.json').replaceAll(/"version": "[^"]*"/g, (found) =>
    left-- > 0 ? `"version": "${version}"` : found,
  );
  writeFileSync(inRoot('package-lock.json'), lock);
}

function writeChangelog(version) {
  const text = read('CHANGELOG.md');
  const [before, after] = text.split(HEAD);
  const entries = unreleased();
  const rest = after.slice(after.indexOf(entries) + entries.length);
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(inRoot('CHANGELOG.md'), `${before}${HEAD}\n## [${version}] - ${date}\n\n${entries}${rest}`);
}

/** Returns the names of the files. */
function packed(version, withImage) {
  mkdirSync(inRoot(FOLDER), { recursive: true });
  const [{ filename }] = JSON.parse(
    run('npm', 'pack', `./${CLIENT}`, '--pack-destination', FOLDER, '--json', '--ignore-scripts'),
  );
  if (!withImage) return [`${FOLDER}/${filename}`];
  const image = `halfmove:${version}`;
  const file = `${FOLDER}/halfmove-image-${version}.tar`;
  run('docker', 'build', '--tag', image, '.');
  run('docker', 'save', '--output', file, image);
  return [`${FOLDER}/${filename}`, file];
}

await main(async () => {
  checkTools();
  const args = process.argv.slice(2);
  const withImage = !args.includes('--no-image');
  const [version, ...others] = args.filter((arg) => arg !== '--no-image');
  if (others.length > 0)
    throw new UserError(`Unknown: ${others.join(' ')}. Give a version, and --no-image or nothing.`);
  assertCanRelease(version, withImage);
  await build();
  let files;
  try {
    writeVersion(version);
    writeChangelog(version);
    files = packed(version, withImage);
    run('git', 'commit', '--quiet', '--message', `Release ${version}`, '--', ...WRITTEN);
  } catch (error) {
    run('git', 'checkout', '--quiet', '--', ...WRITTEN);
    throw error;
  }
  run('git', 'tag', '--annotate', `v${version}`, '--message', `Halfmove ${version}`);
  console.log(`Made ${files.join(' and ')}, a commit and the tag v${version}. Nothing was sent anywhere.`);
});
