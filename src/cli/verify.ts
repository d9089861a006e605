import { readFileSync } from 'node:fs';
import type { Finding } from '../fairness/finding.js';
import { holds, verify } from '../fairness/verify.js';
import { isStarted } from './program.js';

/** Checks an exported game record without the server: `verify FILE`, or `verify -` for standard input. */

const USAGE = 'usage: verify FILE (the exported record of a game, - for standard input)';

/** One line as `ok      commitment   62377bbc...`; what could not be checked begins with `-`. */
const line = ({ check, ok, detail }: Finding): string => {
  const mark = ok === null ? '-' : ok ? 'ok' : 'FAILED';
  return `${mark.padEnd(7)} ${check.padEnd(12)} ${detail}`;
};

const RECORD = 'the record of a game, as GET /v1/games/ID/record answers it';

function findingsOf(path: string): readonly Finding[] {
  try {
    const text = readFileSync(path === '-' ? 0 : path, 'utf8');
    if (text.trim() === '') return [unreadable(`the file is empty: it should hold ${RECORD}`)];
    return verify(parsed(text));
  } catch (error) {
    return [unreadable(error instanceof Error ? error.message : String(error))];
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`the file is not JSON: it should hold ${RECORD} (${(error as Error).message})`, {
      cause: error,
    });
  }
}

const unreadable = (detail: string): Finding => ({ check: 'record', ok: false, detail });

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

if (isStarted(import.meta.url)) process.exitCode = run(process.argv.slice(2), (text) => console.log(text));
