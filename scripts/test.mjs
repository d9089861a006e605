import { randomBytes, randomInt } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { checkTools, inRoot, main, runTool } from './support.mjs';

/**
 * Builds if needed (some tests start the built server), then runs the tests; arguments go to jest.
 *
 *   node scripts/test.mjs               the quick suite, on the embedded database
 *   node scripts/test.mjs --full        all that is random, repeated or slow as often as it is meant to be
 *   node scripts/test.mjs --tenth       so too, but only a tenth of the files that do more in full, by the day
 *   node scripts/test.mjs --postgres    what needs a PostgreSQL server, on that of TEST_DATABASE_URL; goes with both
 *
 * TEST_SEED repeats what a run has drawn by chance, and FC_RUNS says how many cases each property is tried with. With
 * TEST_REPORT set to a path, the results are written there as JSON too.
 */

const DEFAULT_SERVER = 'postgresql://postgres@127.0.0.1:5432/postgres';
const FLAGS = ['--full', '--tenth', '--postgres'];
const NOTHING = { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0, testResults: [] };
/**
 * What V8 does beside the tests costs more than it gains in minutes: room for young objects, of which few live longer than a
 * request; no helpers of the garbage collector on cores that are busy; the embedded database compiled once, and not again.
 */
const FRUGAL = ['--max-semi-space-size=64', '--single-threaded-gc', '--liftoff-only'];
const ENOUGH_BYTES = 4 * 1024 ** 3;
const PARTS = 10;
const DAY_MS = 86_400_000;

/** A file that says why it runs on both, or has tests that are skipped without a server. */
const needsServer = (text) => /\bonServer\(|SERVER === undefined \? test\.skip|Both databases: /.test(text);
const doesMoreInFull = (text) =>
  /import \{[^}]*\b(FULL|inFull|rounds|runs|sample)\b[^}]*\} from '[^']*\/scale\.js'/.test(text);

/** The files that these flags are about; null: all. */
function selected({ tenth, postgres }) {
  if (!tenth && !postgres) return null;
  const files = readdirSync(inRoot('test'), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) => ({ path: `test/${name}`, text: readFileSync(inRoot('test', name), 'utf8') }));
  const today = Math.floor(Date.now() / DAY_MS) % PARTS;
  const chosen = tenth
    ? files.filter(({ text }) => doesMoreInFull(text)).filter((_, i) => i % PARTS === today)
    : files;
  return chosen.filter(({ text }) => !postgres || needsServer(text)).map(({ path }) => path);
}

/** Memory, where there is enough of it: databases of tests are thousands of small files that nobody keeps. */
function fastestFolder() {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > ENOUGH_BYTES ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Databases that a run has left: those of the servers that workers share, and of tests that were killed. */
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
  const [full, tenth, postgres] = FLAGS.map((flag) => given.includes(flag));
  const args = given.filter((arg) => !FLAGS.includes(arg));
  const report = process.env.TEST_REPORT;
  if (report) args.push('--json', `--outputFile=${report}`);
  if (args.every((arg) => arg.startsWith('-'))) {
    const paths = selected({ tenth, postgres });
    if (paths?.length === 0) {
      console.error('No file has more to do today.');
      if (report) writeFileSync(report, JSON.stringify(NOTHING));
      return;
    }
    if (paths !== null) args.push('--runTestsByPath', ...paths);
  }
  const env = {};
  if (full || tenth) env.TEST_FULL = '1';
  if (postgres) env.TEST_DATABASE_URL = process.env.TEST_DATABASE_URL || DEFAULT_SERVER;

  // fast-check takes a number of 32 bits with its sign.
  env.TEST_SEED = process.env.TEST_SEED || String(randomInt(2 ** 31));
  console.error(`TEST_SEED=${env.TEST_SEED} draws the same cases again.`);

  // All that tests leave behind lies in one place, which goes with the run.
  const run = randomBytes(4).toString('hex');
  const folder = mkdtempSync(join(fastestFolder(), 'halfmove-test-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  Object.assign(env, { TMPDIR: folder, TEST_RUN: run });
  const { code } = await runTool('jest/bin/jest.js', args, {
    nodeArgs: [...FRUGAL, '--import', './test/support/typescript.mjs'],
    env,
  });
  if (env.TEST_DATABASE_URL) await dropDatabases(env.TEST_DATABASE_URL, run);
  process.exitCode = code;
});
