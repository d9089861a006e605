import { build } from './build.mjs';
import { checkTools, main, runTool } from './support.mjs';

/**
 * Builds if needed (some tests start the built server), then runs the tests; arguments go to jest.
 *
 *   node scripts/test.mjs               all of them, on the embedded database
 *   node scripts/test.mjs --postgres    those that touch a database, on the server in TEST_DATABASE_URL
 *
 * With TEST_REPORT set to a path, the results are written there as JSON too.
 */

const ON_A_SERVER = ['test/store', 'test/e2e', 'test/faults'];
const DEFAULT_SERVER = 'postgresql://postgres@127.0.0.1:5432/postgres';

await main(async () => {
  checkTools();
  await build();
  const given = process.argv.slice(2);
  const postgres = given.includes('--postgres');
  const args = given.filter((arg) => arg !== '--postgres');
  const report = process.env.TEST_REPORT;
  if (report) args.push('--json', `--outputFile=${report}`);
  if (postgres) args.push('--testPathPatterns', ...ON_A_SERVER);
  const { code } = await runTool('jest/bin/jest.js', args, {
    nodeArgs: ['--import', './test/support/typescript.mjs'],
    env: postgres ? { TEST_DATABASE_URL: process.env.TEST_DATABASE_URL || DEFAULT_SERVER } : {},
  });
  process.exitCode = code;
});
