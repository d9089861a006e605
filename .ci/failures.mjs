import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * Prints the tests that failed, from a report of jest: file, name, and what they said, shortened.
 *
 *   node .ci/failures.mjs REPORT
 */

const LINES_OF_EACH = 40;
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

const shortened = (text) => text.replace(COLOURS, '').split('\n').slice(0, LINES_OF_EACH).join('\n');

try {
  const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
  for (const { name, status, message, assertionResults } of testResults) {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    for (const { ancestorTitles, title, failureMessages } of failed) {
      console.log(
        `${relative(process.cwd(), name)}: ${[...ancestorTitles, title].join(' ')}\n${shortened(failureMessages.join('\n'))}\n`,
      );
    }
    // A file that could not be run at all has no tests to name.
    if (status === 'failed' && failed.length === 0) {
      console.log(`${relative(process.cwd(), name)}: not run\n${shortened(message)}\n`);
    }
  }
} catch {
  console.log('There is no report of the tests: they were ended before they were through.');
}
