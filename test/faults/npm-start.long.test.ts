import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { embeddedPlace, type Place } from '../support/databases.js';

/** `npm start`, as somebody who tries the server types and ends it. */
// Long: it starts programs.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let place: Place;
beforeEach(async () => (place = await embeddedPlace()));
afterEach(() => place.remove());

const start = (command: string, args: readonly string[]) => {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATA_DIR: place.dataDir,
      PORT: '0',
      MIN_FREE_MB: '16',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  return { child, said: () => said, closed: once(child, 'close') };
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The process of the server, as a second start names it, which must be refused. */
async function serverOf(): Promise<number> {
  const second = start(process.execPath, ['dist/main.js']);
  await second.closed;
  expect(second.said()).toMatch(/^The data folder \S+ is in use by another process \(its id is \d+\)\./);
  return Number(/its id is (\d+)/.exec(second.said())![1]);
}

test('kill of npm ends the server, and until then a second start is told which process it is', async () => {
  const npm = start('npm', ['start']);
  while (!npm.said().includes('Halfmove is running.')) await pause(50);
  const server = await serverOf();
  expect(isAlive(server)).toBe(true);
  npm.child.kill('SIGTERM');
  for (const end = Date.now() + 20_000; isAlive(server) && Date.now() < end;) await pause(50);
  const isLeft = isAlive(server);
  if (isLeft) process.kill(server, 'SIGKILL');
  expect(isLeft).toBe(false);
  await npm.closed;
  expect(npm.said()).not.toContain('rror');
});
