import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * Prints the failed tests from a jest report, each with its file, name and shortened message.
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
    // A file that could not run at all reports no single tests.
    if (status === 'failed' && failed.length === 0) {
      console.log(`${relative(process.cwd(), name)}: not run\n${shortened(message)}\n`);
    }
  }
} catch {
  console.log('There is no test report: the run was stopped before it finished.');
}
