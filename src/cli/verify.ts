import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Finding } from '../fairness/finding.js';
import { holds, isComplete, verify, type Shown } from '../fairness/verify.js';
import { isStarted } from './program.js';

/**
 * Checks an exported game record without the server: `verify FILE`, or `verify -` for standard input, with what was shown
 * to a player of the game.
 */

const USAGE = `usage: verify [--commitment HEX] [--deal-root HEX] [--hash HEX] FILE
FILE is the exported record of a game, - for standard input; the values are those that you were shown while you played.
Ends with 0 when all holds, 1 when a check failed, 2 when called wrongly, 3 when something is left to check.`;

const LONGEST_DETAIL = 300;

/** Text of a record stays in its line and its place, whatever it holds. */
const quoted = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .slice(0, LONGEST_DETAIL);

const markOf = ({ ok, isOpen }: Finding): string => {
  if (ok === null) return isOpen ? 'open' : '-';
  return ok ? 'ok' : 'FAILED';
};

/** One line as `ok      commitment   62377bbc...`; `open` is what is left to check, `-` where there is nothing. */
const line = (finding: Finding): string =>
  `${markOf(finding).padEnd(7)} ${finding.check.padEnd(12)} ${quoted(finding.detail)}`;

const RECORD = 'the record of a game, as GET /v1/games/ID/record answers it';

function findingsOf(path: string, shown: Shown): readonly Finding[] {
  try {
    const text = readFileSync(path === '-' ? 0 : path, 'utf8');
    if (text.trim() === '') return [unreadable(`the file is empty: it should hold ${RECORD}`)];
    return verify(parsed(text), shown);
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

const VALUES = {
  commitment: { type: 'string' },
  'deal-root': { type: 'string' },
  hash: { type: 'string' },
} as const;

/** The file and what was shown; null when called wrongly. */
function parsedArguments(args: readonly string[]): { readonly path: string; readonly shown: Shown } | null {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: VALUES, allowPositionals: true });
    const { 'deal-root': dealRoot, ...rest } = values;
    const shown = { ...rest, ...(dealRoot === undefined ? {} : { dealRoot }) };
    const areHex = Object.values(shown).every((value) => /^[0-9a-f]{64}$/.test(value));
    return positionals.length === 1 && areHex ? { path: positionals[0]!, shown } : null;
  } catch {
    return null;
  }
}

/** Prints the findings; the exit code, as USAGE tells it. */
export function run(args: readonly string[], print: (text: string) => void): number {
  const called = parsedArguments(args);
  if (called === null) {
    print(USAGE);
    return 2;
  }
  const findings = findingsOf(called.path, called.shown);
  for (const finding of findings) print(line(finding));
  if (!holds(findings)) return 1;
  return isComplete(findings) ? 0 : 3;
}

if (isStarted(import.meta.url)) process.exitCode = run(process.argv.slice(2), (text) => console.log(text));
