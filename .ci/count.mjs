import { readFileSync } from 'node:fs';

/**
 * Prints the totals of a jest run as `PASSED FAILED`, from its report and exit code:
 *
 *   node .ci/count.mjs REPORT EXIT_CODE
 *
 * Each suite that did not run counts as one failure. So does a missing report, or a non-zero exit code
 * without any failed test.
 */

const [path, exitCode] = process.argv.slice(2);
let passed = 0;
let failed = 0;
try {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  passed = report.numPassedTests;
  failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
} catch {
  failed = 1;
}
if (exitCode !== '0' && failed === 0) failed = 1;
console.log(`${passed} ${failed}`);
