import { basename } from 'node:path';
import { faultsOf } from './conformance/check.js';
import { filesOf, linesOf } from './conformance/files.js';
import { isStarted } from './program.js';

/**
 * Runs files of test vectors (games, perft, deals, bad inputs; JSON Lines) through the rules and says where they
 * differ: `conformance FOLDER|FILE...`.
 */

const USAGE = 'usage: conformance FOLDER|FILE... (a folder: all *.jsonl in it and below)';

type Print = (text: string) => void;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs the lines of a file; prints every failure, then one line for the file. Did all pass? */
function runFile(file: string, print: Print): boolean {
  let lines = 0;
  let passed = 0;
  for (const text of linesOf(file)) {
    lines++;
    const faults = faultsOf(text, basename(file));
    if (faults.length === 0) passed++;
    for (const fault of faults) print(`FAILED  ${file}:${lines}  ${fault}`);
  }
  const ok = lines > 0 && passed === lines;
  const told = lines === 0 ? 'it is empty' : `${passed} of ${lines} lines passed`;
  print(`${ok ? 'ok    ' : 'FAILED'}  ${file}: ${told}`);
  return ok;
}

/** Does this pass? Says so when it cannot be read. */
function passes(path: string, print: Print, runIt: (path: string, print: Print) => boolean): boolean {
  try {
    return runIt(path, print);
  } catch (error) {
    print(`FAILED  ${path}: ${messageOf(error)}`);
    return false;
  }
}

function runPath(path: string, print: Print): boolean {
  const files = filesOf(path);
  if (files.length === 0) print(`FAILED  ${path}: there is no *.jsonl file in this folder`);
  return files.length > 0 && files.map((file) => passes(file, print, runFile)).every(Boolean);
}

/** Prints the failures and a line for each file; the exit code: 0 when all passed, 1 when not, 2 when called wrongly. */
export function run(args: readonly string[], print: Print): number {
  if (args.length === 0) {
    print(USAGE);
    return 2;
  }
  return args.map((path) => passes(path, print, runPath)).every(Boolean) ? 0 : 1;
}

if (isStarted(import.meta.url)) process.exitCode = run(process.argv.slice(2), (text) => console.log(text));
