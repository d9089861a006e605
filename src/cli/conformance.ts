import { basename } from 'node:path';
import { faultsOf } from './conformance/check.js';
import { filesOf, linesOf } from './conformance/files.js';
import { isStarted } from './program.js';

/**
 * Runs files of test vectors (games, perft, deals, invalid inputs; JSON Lines) through the rules and prints where they
 * differ: `conformance FOLDER|FILE...`.
 */

const USAGE = 'usage: conformance FOLDER|FILE... (of a folder, all *.jsonl files in it and below)';

type Print = (text: string) => void;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs the lines of a file and prints every failure and a summary. Returns true if all passed. */
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
  const summary = lines === 0 ? 'the file is empty' : `${passed} of ${lines} lines passed`;
  print(`${ok ? 'ok    ' : 'FAILED'}  ${file}: ${summary}`);
  return ok;
}

/** Returns true if the path passes; prints an error if it cannot be read. */
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
  if (files.length === 0) print(`FAILED  ${path}: the folder has no *.jsonl files`);
  return files.length > 0 && files.map((file) => passes(file, print, runFile)).every(Boolean);
}

/** Prints the failures and a line for each file. Returns the exit code: 0 if all passed, 1 if not, 2 for wrong usage. */
export function run(args: readonly string[], print: Print): number {
  if (args.length === 0) {
    print(USAGE);
    return 2;
  }
  return args.map((path) => passes(path, print, runPath)).every(Boolean) ? 0 : 1;
}

if (isStarted(import.meta.url)) process.exitCode = run(process.argv.slice(2), (text) => console.log(text));
