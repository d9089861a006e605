import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Finding } from '../fairness/finding.js';
import { holds, verify } from '../fairness/verify.js';

/** Checks an exported game record without the server: `verify FILE`, or `verify -` for standard input. */

const USAGE = 'usage: verify FILE (the exported record of a game, - for standard input)';

/** One line as `ok      commitment   62377bbc...`; what could not be checked begins with `-`. */
const line = ({ check, ok, detail }: Finding): string => {
  const mark = ok === null ? '-' : ok ? 'ok' : 'FAILED';
  return `${mark.padEnd(7)} ${check.padEnd(12)} ${detail}`;
};

function findingsOf(path: string): readonly Finding[] {
  try {
    return verify(JSON.parse(readFileSync(path === '-' ? 0 : path, 'utf8')));
  } catch (error) {
    return [{ check: 'record', ok: false, detail: error instanceof Error ? error.message : String(error) }];
  }
}

/** Prints the findings; the exit code: 0 when no check failed, 1 when one did, 2 when called wrongly. */
export function run(args: readonly string[], print: (text: string) => void): number {
  const [path, ...rest] = args;
  if (path === undefined || rest.length > 0) {
    print(USAGE);
    return 2;
  }
  const findings = findingsOf(path);
  for (const finding of findings) print(line(finding));
  return holds(findings) ? 0 : 1;
}

const startedAs = process.argv[1];
if (startedAs !== undefined && realpathSync(startedAs) === fileURLToPath(import.meta.url)) {
  process.exitCode = run(process.argv.slice(2), (text) => console.log(text));
}
