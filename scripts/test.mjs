import { randomBytes, randomInt } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { checkTools, inRoot, main, runTool } from './support.mjs';

/**
 * Builds if needed (some tests start the built server), then runs the tests. Other arguments are passed to
 * jest.
 *
 *   node scripts/test.mjs               the quick suite, on the embedded database
 *   node scripts/test.mjs --long        the long files, which the quick suite leaves out
 *   node scripts/test.mjs --full        all files, with all repetitions, random games and slow tests
 *   node scripts/test.mjs --tenth       the same for a tenth of the files that do more in full, another one each day
 *   node scripts/test.mjs --postgres    the tests that need a PostgreSQL server, on TEST_DATABASE_URL; also with the above
 *
 * TEST_SEED repeats the random choices of a run, FC_RUNS sets the number of cases for each property, and TEST_REPORT names
 * a file for the results as JSON.
 */

const DEFAULT_SERVER = 'postgresql://postgres@127.0.0.1:5432/postgres';
const FLAGS = ['--full', '--tenth', '--postgres', '--long'];
const NOTHING = { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0, testResults: [] };
/**
 * V8 settings for short runs: a larger young generation, as few objects outlive a request; no parallel garbage collection,
 * as the cores are busy; and no optimising compilation of the embedded database.
 */
const FRUGAL = ['--max-semi-space-size=64', '--single-threaded-gc', '--liftoff-only'];
const ENOUGH_BYTES = 4 * 1024 ** 3;
const PARTS = 10;
const DAY_MS = 86_400_000;

// test/house/names.test.ts compares these words in names with what the files import.
const needsServer = (name) => name.includes('.postgres.');
const doesMoreInFull = (name) => name.includes('.full.');
const LONG = '\\.long\\.';
const LEFT_OUT =
  'Left out: the tests that open a browser, start programs or take long. npm test -- --long runs them; those of the browser need chromium.';

/** What the flags select, as arguments of jest; null for nothing. */
function selected({ full, tenth, postgres, long }) {
  if (!tenth && !postgres) return long ? [LONG] : full ? [] : [`--testPathIgnorePatterns=${LONG}`];
  const files = readdirSync(inRoot('test'), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) => `test/${name}`);
  const today = Math.floor(Date.now() / DAY_MS) % PARTS;
  const chosen = tenth ? files.filter(doesMoreInFull).filter((_, i) => i % PARTS === today) : files;
  const paths = chosen.filter((name) => !postgres || needsServer(name));
  return paths.length === 0 ? null : ['--runTestsByPath', ...paths];
}

/** A memory file system if it has enough space, as test databases are thousands of small temporary files. */
function fastestFolder() {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > ENOUGH_BYTES ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Drops the databases that a run has left behind: those of shared servers and of killed tests. */
async function dropDatabases(server, run) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  const { rows } = await client.query('SELECT datname AS name FROM pg_database WHERE datname LIKE $1', [
    `halfmove_test_${run}_%`,
  ]);
  for (const { name } of rows) await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  await client.end();
}

await main(async () => {
  checkTools();
  await build();
  const given = process.argv.slice(2);
  const [full, tenth, postgres, long] = FLAGS.map((flag) => given.includes(flag));
  const args = given.filter((arg) => !FLAGS.includes(arg));
  let leftOut = '';
  const report = process.env.TEST_REPORT;
  if (report) args.push('--json', `--outputFile=${report}`);
  if (args.every((arg) => arg.startsWith('-'))) {
    const chosen = selected({ full, tenth, postgres, long });
    if (chosen === null) {
      console.error('No test file is selected today.');
      if (report) writeFileSync(report, JSON.stringify(NOTHING));
      return;
    }
    args.push(...chosen);
    if (chosen.some((each) => each.startsWith('--testPathIgnorePatterns'))) leftOut = LEFT_OUT;
  }
  const env = {};
  if (full || tenth) env.TEST_FULL = '1';
  if (postgres) env.TEST_DATABASE_URL = process.env.TEST_DATABASE_URL || DEFAULT_SERVER;

  // fast-check takes a signed 32-bit number.
  env.TEST_SEED = process.env.TEST_SEED || String(randomInt(2 ** 31));
  console.error(`TEST_SEED=${env.TEST_SEED} repeats the random choices of this run.`);

  // Tests write to one folder, which is removed at the end.
  const run = randomBytes(4).toString('hex');
  const folder = mkdtempSync(join(fastestFolder(), 'halfmove-test-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  Object.assign(env, { TMPDIR: folder, TEST_RUN: run });
  const { code } = await runTool('jest/bin/jest.js', args, {
    nodeArgs: [...FRUGAL, '--import', './test/support/typescript.mjs'],
    env,
  });
  if (env.TEST_DATABASE_URL) await dropDatabases(env.TEST_DATABASE_URL, run);
  if (leftOut !== '') console.error(leftOut);
  process.exitCode = code;
});
