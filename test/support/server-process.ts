import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The built server (dist/main.js) as a child process that can be killed, or run beside another one. */
export interface ServerProcess {
  readonly process: ChildProcess;
  /** For example http://127.0.0.1:40123. */
  readonly url: string;
  isAlive(): boolean;
  /** Everything printed: log lines from `warn` on, and messages of Node on exit. */
  said(): string;
  /** Sends the signal; resolves on exit, with the exit code or the signal. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/** A process that has been started but may not be ready yet. */
export interface Starting extends Omit<ServerProcess, 'url'> {
  /** Resolves when the server is ready; rejects if it exits first or takes more than three minutes. */
  ready(): Promise<ServerProcess>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = `${ROOT}dist/main.js`;
const START_MS = 180_000;
const END_MS = 60_000;

const running = new Set<ChildProcess>();

/** For afterAll: ends all processes. */
export async function endAllServers(): Promise<void> {
  const ended = [...running].map((child) => once(child, 'close'));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(ended);
}

/** Two users start many games at once, and the games left by a killed server stay open. */
const DEFAULTS = {
  PORT: '0',
  LOG_LEVEL: 'warn',
  MIN_FREE_MB: '16',
  MAX_OPEN_CHALLENGES: '10000',
  REGISTRATIONS_PER_HOUR: '100000',
  CHALLENGES_PER_MINUTE: '100000',
  CHALLENGES_PER_HOUR: '100000',
  MAX_CONNECTIONS_PER_ADDRESS: '100000',
};

/** Starts the built server with these settings, and without the environment of the tests. */
export function spawnServer(environment: Readonly<Record<string, string>>): Starting {
  if (!existsSync(PROGRAM)) throw new Error('The server is not built. Run `npm run build` first.');
  const child = spawn(process.execPath, [PROGRAM], {
    cwd: ROOT,
    env: { ...DEFAULTS, PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const closed = once(child, 'close').then(() => running.delete(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  }
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const said = () => output;
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const patience = pause(END_MS, null, { ref: false });
    if ((await Promise.race([closed, patience])) === null) throw new Error(`${signal} did not end it`);
    return child.exitCode ?? child.signalCode!;
  };
  const starting = { process: child, isAlive, said, end };
  return { ...starting, ready: async () => ({ ...starting, url: await addressOf(starting) }) };
}

/** The same, once it is ready. */
export const startServerProcess = (environment: Readonly<Record<string, string>>): Promise<ServerProcess> =>
  spawnServer(environment).ready();

/** The server prints its address when it starts to listen. */
async function addressOf({ isAlive, said }: Pick<ServerProcess, 'isAlive' | 'said'>): Promise<string> {
  for (const end = Date.now() + START_MS; Date.now() < end; await pause(20)) {
    const port = /http:\/\/localhost:(\d+)\/graphiql/.exec(said())?.[1];
    const url = `http://127.0.0.1:${port}`;
    if (port !== undefined && (await answers(url))) return url;
    if (!isAlive()) throw new Error(`The server exited before it was ready:\n${said()}`);
  }
  throw new Error(`The server was not ready in ${START_MS / 1000} s:\n${said()}`);
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  );
