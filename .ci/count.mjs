import { readFileSync } from 'node:fs';

/**
 * Prints what a run of jest came to, as `PASSED FAILED`, from its report and its exit code:
 *
 *   node .ci/count.mjs REPORT EXIT_CODE
 *
 * A suite that did not run, a missing report, or a bad exit code without a failed test count as one failure each.
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
