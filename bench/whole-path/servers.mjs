import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FOLDER } from './settings.mjs';

/** Servers as child processes on free ports, with data folders. Both are removed when the benchmark ends. */

const STOP_MS = 5000;
const MOST_SHOWN = 2000;

const children = new Set();
const folders = new Set();

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** A new data folder for a server. */
export function temporaryFolder() {
  const out = join(FOLDER, 'out');
  mkdirSync(out, { recursive: true });
  const folder = mkdtempSync(join(out, 'data-'));
  folders.add(folder);
  return folder;
}

/** Passes only the environment variables that programs need to run, none of the user's own settings. */
const KEPT = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ'].filter((name) => process.env[name] !== undefined);
const KEPT_ENV = Object.fromEntries(KEPT.map((name) => [name, process.env[name]]));

/** Starts a server with Node and waits until it prints that it is ready. */
export function startServer(args, { cwd, env, ready }) {
  const options = { cwd, env: { ...KEPT_ENV, ...env }, stdio: ['ignore', 'pipe', 'inherit'] };
  const child = spawn(process.execPath, args, options);
  children.add(child);
  child.on('exit', () => children.delete(child));
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk) => {
      said = (said + chunk).slice(-MOST_SHOWN);
      if (ready.test(said)) resolve(child);
    });
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`${args.join(' ')} ended (${code}): ${said}`)));
  });
}

async function end(child) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await Promise.race([ended, pause(STOP_MS, undefined, { ref: false })]);
  child.kill('SIGKILL');
}

export const endServers = () => Promise.all([...children].map(end));

process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
