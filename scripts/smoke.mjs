import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError, checkTools, inRoot, main, root } from './support.mjs';

/**
 * Starts the built server on a new database, plays a game of chess over HTTP, runs the demo and, if bash, curl and jq are
 * installed, examples/rest/first-game.sh; then stops the server with SIGTERM.
 */

const START_MS = 60_000;
const STOP_MS = 20_000;
const REQUEST_MS = 15_000;

/** Fool's mate, the shortest possible game. */
const GAME = ['f2f3', 'e7e5', 'g2g4', 'd8h4'];

const CHALLENGE = { ruleset: 'chess', timeControl: { none: {} }, side: 'first' };

/** The routes that a game needs, in order. */
const routes = (api) => ({
  register: async (username) =>
    (await api('POST', '/v1/users', 201, { username, password: `smoke test ${username} 7391` })).session,
  challenge: (player, opponent) =>
    api(
      'POST',
      '/v1/challenges',
      201,
      { ...CHALLENGE, opponent: { username: opponent.user.username } },
      player,
    ),
  accept: (player, id) => api('POST', `/v1/challenges/${id}/accept`, 200, {}, player),
  move: (player, id, ply, move) => api('POST', `/v1/games/${id}/moves`, 200, { ply, move }, player),
  game: (player, id) => api('GET', `/v1/games/${id}`, 200, undefined, player),
});

function check(what, actual, expected) {
  const fits = Array.isArray(expected) ? expected.includes(actual) : actual === expected;
  if (!fits)
    throw new UserError(`${what} must be ${JSON.stringify(expected)}; got ${JSON.stringify(actual)}.`);
}

const client = (address) => async (method, path, status, body, player) => {
  const response = await fetch(`${address}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(player === undefined ? {} : { authorization: `Bearer ${player.accessToken}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(REQUEST_MS),
  });
  const text = await response.text();
  try {
    check(`HTTP status of ${method} ${path}`, response.status, status);
  } catch (error) {
    throw new UserError(`${error.message}\n${text.slice(0, 2000)}`);
  }
  return JSON.parse(text);
};

async function play(api) {
  const first = await api.register('smoke_first');
  const second = await api.register('smoke_second');
  const { challenge } = await api.challenge(first, second);
  const { id } = (await api.accept(second, challenge.id)).game;
  for (const [i, move] of GAME.entries()) await api.move(i % 2 === 0 ? first : second, id, i + 1, move);
  const game = await api.game(first, id);
  check('Status of the game', game.status, 'finished');
  check('Reason of the outcome', game.outcome?.reason, 'checkmate');
  check('Winner', game.outcome?.winner, 'second');
}

/** Runs a program and returns its output. */
function output(what, command, args, options) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    timeout: 120_000,
    ...options,
  });
  if (error) throw error;
  if (status !== 0) throw new UserError(`${what} exited with ${status}.\n${stdout}${stderr}`);
  return stdout;
}

function demo(address) {
  const printed = output('The demo', process.execPath, [inRoot('dist/cli/demo.js'), address]);
  const results = printed.match(/^(?:Chess|Banqi): .* by \w+ after \d+ plies/gm) ?? [];
  check('Number of games in the demo', results.length, 2);
  const help = output('The help of the demo', process.execPath, [inRoot('dist/cli/demo.js'), '--help']);
  check('The help of the demo', help.split('\n')[0], 'npm run demo [-- ADDRESS]');
  output('The demo to a reader that stops', 'sh', [
    '-c',
    `"${process.execPath}" "${inRoot('dist/cli/demo.js')}" ${address} | head -3`,
  ]);
  return results;
}

function firstGame(address) {
  const printed = output('The first game', 'bash', [inRoot('examples/rest/first-game.sh')], {
    env: { ...process.env, HALFMOVE_URL: address },
  });
  check(
    'Result of the script',
    printed.trim().split('\n').at(-1),
    '{"winner":"second","reason":"checkmate"}',
  );
}

const isHere = (command) => spawnSync(command, ['--version']).error === undefined;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** The environment of the server, without the settings of the person who runs this. */
function environment(port, folder) {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ'].filter((name) => process.env[name] !== undefined);
  return {
    ...Object.fromEntries(kept.map((name) => [name, process.env[name]])),
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: folder,
    MIN_FREE_MB: '16',
  };
}

function startServer(port, folder) {
  const child = spawn(process.execPath, [inRoot('dist/main.js')], {
    cwd: root,
    env: environment(port, folder),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const server = { child, output: '', ended: once(child, 'exit') };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (server.output += chunk));
  return server;
}

const hasEnded = ({ child }) => child.exitCode !== null || child.signalCode !== null;

async function untilReady(server, address) {
  for (const start = Date.now(); Date.now() - start < START_MS; await sleep(100)) {
    if (hasEnded(server)) throw new UserError('The server exited before it was ready.');
    const ready = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => null);
    if (ready?.ok) return;
  }
  throw new UserError(`The server was not ready after ${START_MS / 1000} s.`);
}

async function stop(server) {
  server.child.kill('SIGTERM');
  const end = await Promise.race([server.ended, sleep(STOP_MS, null, { ref: false })]);
  if (end === null) throw new UserError(`The server did not stop within ${STOP_MS / 1000} s of SIGTERM.`);
  check('Exit code after SIGTERM', end[0], 0);
}

await main(async () => {
  checkTools();
  if (!existsSync(inRoot('dist/main.js')))
    throw new UserError('The server is not built. Run npm run build first.');
  const folder = mkdtempSync(join(tmpdir(), 'halfmove-smoke-'));
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const start = Date.now();
  const server = startServer(port, folder);
  try {
    await untilReady(server, address);
    console.log(`The server was ready after ${Date.now() - start} ms.`);
    await play(routes(client(address)));
    console.log(`Played a game of ${GAME.length} plies to checkmate.`);
    for (const result of demo(address)) console.log(`The demo: ${result}.`);
    if (['bash', 'curl', 'jq'].every(isHere)) {
      firstGame(address);
      console.log('Played the game of examples/rest/first-game.sh.');
    } else console.log('Skipped examples/rest/first-game.sh: it needs bash, curl and jq.');
    await stop(server);
    console.log('The server stopped on SIGTERM with exit code 0.');
  } catch (error) {
    if (server.output) console.error(`Output of the server:\n${server.output.trimEnd()}\n`);
    throw error;
  } finally {
    server.child.kill('SIGKILL');
    if (!hasEnded(server)) await server.ended;
    rmSync(folder, { recursive: true, force: true });
  }
});
