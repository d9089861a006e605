import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Runs a program of one argument, when the module is what was started and not imported. Ends with 0; with 1 and the
 * reason on stderr when it throws; with 2 when it was called wrongly.
 */
export async function runProgram(
  module: string,
  usage: string,
  program: (argument: string) => Promise<void>,
): Promise<void> {
  const [, startedAs, argument, ...rest] = process.argv;
  if (startedAs === undefined || realpathSync(startedAs) !== fileURLToPath(module)) return;
  // Set at the end: the embedded database sets an exit code of its own.
  process.exitCode =
    argument === undefined || rest.length > 0 ? complain(usage, 2) : await outcome(program(argument));
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
