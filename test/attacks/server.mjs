import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../../scripts/support.mjs';
import { settings } from '../../bench/operations.mjs';

/** The built server as a child process, with its output, which the attacks search too. */

const START_MS = 120_000;
const END_MS = 10_000;
const ERROR_LEVEL = 50;
const GREETING = /^(Halfmove is running\.| {2}(In the browser|GraphQL by hand|REST reference|Data) .*|)$/;

/** Raises the rate limits, which would stop an attack early. Limits of size and cost stay. */
const LIFTED = {
  ...settings,
  MESSAGES_PER_MINUTE: '1000000',
  MESSAGES_PER_HOUR: '1000000',
  IMPORTS_PER_MINUTE: '1000000',
  IMPORTS_PER_HOUR: '1000000',
  MAX_IMPORTED_GAMES: '100000',
  MAX_OPEN_SEEKS: '1000',
  MAX_CONNECTIONS_PER_ADDRESS: '10000',
  MAX_SOCKETS_PER_ADDRESS: '10000',
  MAX_SOCKETS_PER_USER: '10000',
  REQUESTS_PER_MINUTE_OF_APPLICATION: '10000000',
  MAX_APPLICATIONS: '1000',
  MIN_FREE_MB: '16',
};

const running = new Set();
const folders = new Set();

process.on('exit', () => {
  killServers();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/** A server that is left running by a failed attack would keep the program alive. */
export function killServers() {
  for (const child of running) child.kill('SIGKILL');
}

function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'halfmove-attacks-'));
  folders.add(folder);
  return folder;
}

const secret = () => randomBytes(32).toString('hex');

function environmentOf({ postgres, env, folder }) {
  const base = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error', DATA_DIR: folder };
  const secrets = { TOKEN_SECRET: secret(), SEED_SECRET: secret() };
  // Seed secrets belong to a database, so all attacks on one PostgreSQL database use the same.
  if (postgres) Object.assign(secrets, { SEED_SECRET: 'the secret of the attacks, 32 bytes or more', LOST_SEEDS: 'accept' }); // prettier-ignore
  return { ...base, ...LIFTED, ...secrets, DATABASE_URL: postgres ?? '', ...env };
}

/** Starts the server; `preload` is a module to load before its program. */
export async function startServer({ postgres = null, env = {}, preload = null } = {}) {
  const folder = temporaryFolder();
  const environment = environmentOf({ postgres, env, folder });
  const args = [...(preload ? ['--import', preload] : []), join(root, 'dist/main.js')];
  const stdio = ['ignore', 'pipe', 'pipe', ...(preload ? ['ipc'] : [])];
  const child = spawn(process.execPath, args, { cwd: folder, env: environment, stdio });
  running.add(child);
  child.on('exit', () => running.delete(child));
  const said = { out: '', error: '' };
  child.stdout.on('data', (chunk) => (said.out += chunk));
  child.stderr.on('data', (chunk) => (said.error += chunk));
  const port = await portOf(child, said);
  const tokenSecret = environment.TOKEN_SECRET;
  return { child, port, folder, tokenSecret, environment, complaints: () => complaints(said), isAlive: () => isAlive(child), end: () => end(child, folder) }; // prettier-ignore
}

/** Kills a server as a crash would; resolves to another one on the same database, with the same secrets. */
export async function killAndStart({ child, folder, environment }) {
  const { DATA_DIR, TOKEN_SECRET, SEED_SECRET, DATABASE_URL, ...env } = environment;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  const kept = { ...env, DATA_DIR: DATA_DIR ?? folder, TOKEN_SECRET, SEED_SECRET };
  return startServer({ postgres: DATABASE_URL === '' ? null : DATABASE_URL, env: kept });
}

/** Runs a command of the operator next to a server, as `npm run application -- suspend ID`. */
export async function operate({ folder, environment }, program, ...args) {
  const child = spawn(process.execPath, [join(root, `dist/cli/${program}.js`), ...args], { cwd: folder, env: environment, stdio: 'ignore' }); // prettier-ignore
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}.`);
}

const isAlive = (child) => child.exitCode === null && child.signalCode === null;

async function portOf(child, said) {
  for (const until = Date.now() + START_MS; Date.now() < until; await pause(50)) {
    const port = /http:\/\/localhost:(\d+)\/graphiql/.exec(said.out)?.[1];
    if (port !== undefined) return Number(port);
    if (!isAlive(child)) break;
  }
  throw new Error(`The server did not start:\n${said.out}${said.error}`);
}

/**
 * Errors in the output: everything on stderr (a stack as one), and each line on stdout that is logged as an
 * error or is not a log line.
 */
function complaints({ out, error }) {
  const lines = out.split('\n').filter((line) => !GREETING.test(line) && isComplaint(line));
  return [...lines, ...error.split(/\n(?![\s}])/).filter(Boolean)];
}

function isComplaint(line) {
  try {
    return JSON.parse(line).level >= ERROR_LEVEL;
  } catch {
    return true;
  }
}

/** Stops the server; resolves to the exit code, or the signal that was needed. */
async function end(child, folder) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await Promise.race([ended, pause(END_MS, undefined, { ref: false })]);
  child.kill('SIGKILL');
  await ended;
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
  return child.signalCode ?? child.exitCode;
}
