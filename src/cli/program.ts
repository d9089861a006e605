import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** True if this module is the program that was started, rather than an import. */
export function isStarted(module: string): boolean {
  const startedAs = process.argv[1];
  return startedAs !== undefined && realpathSync(startedAs) === fileURLToPath(module);
}

/**
 * Runs a program if its module was started, with one argument for each parameter, or as many as `fits` allows. The exit
 * code is 0, 1 with the message on stderr if it throws, or 2 for wrong usage.
 */
export async function runProgram<Arguments extends string[]>(
  module: string,
  usage: string,
  program: (...args: Arguments) => Promise<void>,
  fits = (args: readonly string[]) => args.length === program.length,
): Promise<void> {
  if (!isStarted(module)) return;
  const args = process.argv.slice(2);
  // Set it last: the embedded database sets an exit code of its own.
  process.exitCode = fits(args) ? await outcome(program(...(args as Arguments))) : complain(usage, 2);
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
