import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Is this module what was started, and not one that another imports? */
export function isStarted(module: string): boolean {
  const startedAs = process.argv[1];
  return startedAs !== undefined && realpathSync(startedAs) === fileURLToPath(module);
}

/**
 * Runs a program of as many arguments as it has parameters, when its module is what was started. Ends with 0; with 1 and
 * the reason on stderr when it throws; with 2 when it was called wrongly.
 */
export async function runProgram<Arguments extends string[]>(
  module: string,
  usage: string,
  program: (...args: Arguments) => Promise<void>,
): Promise<void> {
  if (!isStarted(module)) return;
  const args = process.argv.slice(2);
  // Set at the end: the embedded database sets an exit code of its own.
  process.exitCode =
    args.length === program.length ? await outcome(program(...(args as Arguments))) : complain(usage, 2);
}

const outcome = (work: Promise<void>): Promise<number> =>
  work.then(
    () => 0,
    (error: unknown) => complain(error instanceof Error ? error.message : String(error), 1),
  );

function complain(text: string, code: number): number {
  console.error(text);
  return code;
}
