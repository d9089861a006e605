import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A TypeScript program running as a child process. */
export interface Child {
  readonly process: ChildProcess;
  /** Resolves when the child prints a line with this text to stdout; rejects if it exits first. */
  printed(text: string): Promise<void>;
  /** Resolves when the child exits, with its exit code and output. */
  ended(): Promise<{ code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a TypeScript file, given relative to the package root, with `input` on stdin if given. */
export function runChild(
  file: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; input?: Buffer } = {},
): Child {
  const child = spawn(process.execPath, ['--import', './test/support/typescript.mjs', file, ...args], {
    cwd: ROOT,
    // Do not pass on the jest variables and flags of the parent.
    env: { PATH: process.env['PATH'], ...options.env },
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input);
  const end = once(child, 'close');
  const said = (chunks: Buffer[]) => Buffer.concat(chunks).toString('utf8');
  const printed = async (text: string) => {
    while (!said(stdout).includes(text)) {
      const event = await Promise.race([
        once(child.stdout, 'data').then(() => 'data'),
        end.then(() => 'end'),
      ]);
      if (event === 'end' && !said(stdout).includes(text)) throw new Error(`exited first: ${said(stderr)}`);
    }
  };
  const ended = async () => {
    const [code, signal] = (await end) as [number | null, NodeJS.Signals | null];
    return { code, signal, stdout: said(stdout), stderr: said(stderr) };
  };
  return { process: child, printed, ended };
}
