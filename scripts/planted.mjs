import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { UserError, checkTools, inRoot, main, root } from './support.mjs';

/**
 * Plants the faults of test/planted, one at a time, in a copy of the last commit and prints which test finds each:
 *
 *   node scripts/planted.mjs                     all faults, with the tests of npm test and its long files
 *   node scripts/planted.mjs 07 stranger-plays   faults with one of these words in their names
 *   node scripts/planted.mjs --full              with the tests of npm test -- --full
 *
 * Runs the tests close to the fault first, then the suite, up to the first failure. A fault is found if a test file fails
 * twice with it and does not fail without it. All runs draw the same cases; TEST_SEED repeats them. The exit code is 1 if a
 * fault was not found or could not be planted.
 */

const FAULTS = inRoot('test/planted');
const NOBODY = 'NOBODY';
const TEST_SEED = process.env.TEST_SEED || String(randomInt(2 ** 31));

let running;

/** Runs a program; returns its exit code and its output. */
function run(command, args, { cwd, env = {} }) {
  return new Promise((resolve, reject) => {
    // In its own process group, so that its children can be killed with it.
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: 'pipe',
      detached: true,
    });
    running = child;
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.stdin.end();
    child.on('error', reject);
    child.on('close', (code) => {
      running = undefined;
      resolve({ code: code ?? 1, output: output.trim() });
    });
  });
}

async function must(command, args, options) {
  const { code, output } = await run(command, args, options);
  if (code !== 0) throw new UserError(`${command} ${args.join(' ')} failed:\n${output}`);
  return output;
}

function faultsNamed(words) {
  const all = readdirSync(FAULTS).filter((name) => name.endsWith('.patch')).sort(); // prettier-ignore
  if (words.length === 0) return all;
  const wanted = words.map((word) => basename(word, '.patch'));
  const unknown = wanted.find((word) => !all.some((name) => name.includes(word)));
  if (unknown !== undefined) throw new UserError(`No fault in test/planted has "${unknown}" in its name.`);
  return all.filter((name) => wanted.some((word) => name.includes(word)));
}

/** Clones the last commit with the packages of this folder; the clone is removed when the program exits. */
async function cloneOfHead() {
  const folder = mkdtempSync(join(tmpdir(), 'halfmove-planted-'));
  process.on('exit', () => {
    if (running?.pid) process.kill(-running.pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
  const clone = join(folder, 'clone');
  await must('git', ['clone', '--quiet', root, clone], { cwd: root });
  symlinkSync(inRoot('node_modules'), join(clone, 'node_modules'));
  return clone;
}

const pathsIn = (patch) =>
  [...readFileSync(patch, 'utf8').matchAll(/^\+\+\+ b\/(.+)$/gm)].map((match) => match[1]);

/** For example `commit` and `guard` of test/e2e/commit-guard.e2e.test.ts. */
const wordsOf = (path) => basename(path).split('.')[0].split('-');

/** For example `features`, `games` and `outcome` of src/features/games/outcome.ts. */
const partsOf = (path) => [...dirname(path).split('/').slice(1), ...wordsOf(path)];

/** The tests of the folders that a patch touches, and those whose names share a word with it, its folders or files. */
function testsNextTo(patch, clone) {
  const words = new Set([...wordsOf(patch), ...pathsIn(patch).flatMap(partsOf)]);
  return readdirSync(join(clone, 'test'), { recursive: true })
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => words.has(path.split('/')[0]) || wordsOf(path).some((word) => words.has(word)))
    .map((path) => `test/${path}`);
}

/** Runs tests up to the first failure and returns it as printed by the runner; null if all pass. */
async function firstFailure(clone, args, fault = '') {
  const { code, output } = await run(
    process.execPath,
    ['scripts/test.mjs', '--bail', '--verbose=false', ...args],
    {
      cwd: clone,
      env: { PLANTED: fault, TEST_SEED, FORCE_COLOR: '0', TEST_REPORT: '' },
    },
  );
  if (code === 0) return null;
  const failed = /^FAIL (\S+).*\n\s*(?:● )?(.*)/m.exec(output);
  if (failed === null) throw new UserError(`The tests could not run:\n${output}`);
  return { file: failed[1], test: failed[2] };
}

/** The failure that finds a fault, null without one; or what is wrong with its patch. */
async function find(name, clone, suite) {
  const patch = join(FAULTS, name);
  const options = { cwd: clone };
  const applied = await run('git', ['apply', patch], options);
  if (applied.code !== 0) return { wrong: `no longer applies: ${applied.output.split('\n')[0]}` };
  try {
    const built = await run(process.execPath, ['scripts/build.mjs'], options);
    if (built.code !== 0) return { wrong: `does not build: ${built.output.split('\n')[1]}` };
    const rest = suite.length === 0 ? [['--long']] : [];
    for (const files of [testsNextTo(patch, clone), [], ...rest]) {
      const found = await firstFailure(clone, [...suite, ...files], name);
      const again = found && (await firstFailure(clone, [...suite, found.file], name));
      if (again) return { by: again };
    }
    return { by: null };
  } finally {
    await must('git', ['checkout', '--quiet', '--', 'src', 'packages'], options);
  }
}

/** The test files that also fail without a fault. */
async function failingAnyway(files, clone, suite) {
  const failing = [];
  for (const file of files) if ((await firstFailure(clone, [...suite, file])) !== null) failing.push(file);
  return failing;
}

await main(async () => {
  checkTools();
  const given = process.argv.slice(2);
  const names = faultsNamed(given.filter((arg) => arg !== '--full'));
  if ((await must('git', ['status', '--porcelain', '--', 'src', 'packages', 'test'], { cwd: root })) !== '') {
    console.log('Note: uncommitted changes are not part of this run, except those of patches.');
  }
  const clone = await cloneOfHead();
  await must(process.execPath, ['scripts/build.mjs'], { cwd: clone });
  const suite = given.filter((arg) => arg === '--full');
  const width = Math.max(...names.map((name) => name.length));
  const row = (name, seconds, by) => console.log(`${name.padEnd(width)}  ${seconds.padStart(7)}  ${by}`);
  console.log(`TEST_SEED=${TEST_SEED} repeats this run with the same random cases.`);
  row('fault', 'seconds', 'found by');
  const finders = new Set();
  let missed = 0;
  for (const name of names) {
    const start = Date.now();
    const { wrong, by } = await find(name, clone, suite);
    if (by) finders.add(by.file);
    else missed++;
    row(name, ((Date.now() - start) / 1000).toFixed(1), wrong ?? (by ? `${by.file}: ${by.test}` : NOBODY));
  }
  const unsure = await failingAnyway([...finders], clone, suite);
  for (const file of unsure)
    console.log(`${file} also fails without a fault: the faults it found do not count.`);
  console.log(`${names.length - missed} of ${names.length} faults were found.`);
  if (missed + unsure.length > 0) process.exitCode = 1;
});
