import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Lays out what the Dockerfile makes, by its own COPY and RUN lines, with the packages and the build of this
 * checkout. The server must start there and play a game, and the operator's commands of docs/operating.md must work.
 * Prints the number of packages and their bytes, which are bounded.
 */

const MOST_PACKAGES = 420;
const MOST_BYTES = 300e6;
const WAIT_MS = 60_000;

const stages = readFileSync('Dockerfile', 'utf8')
  .split(/^FROM .*$/m)
  .slice(1)
  .map((text) => text.replaceAll('\\\n', ' ').split('\n'));
const work = mkdtempSync(join(tmpdir(), 'halfmove-image-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));
const [built, image, data, other] = ['build', 'image', 'data', 'other'].map((name) => join(work, name));

/** The lines of .dockerignore, of which the last one that holds a path counts. */
const ignoreLines = readFileSync('.dockerignore', 'utf8').trim().split('\n');

/** A folder is let in for what is let in below it, too. */
function isLetIn(path) {
  const holds = (name) => name === '*' || path === name || path.startsWith(`${name}/`);
  const last = ignoreLines.findLast((line) => holds(line.replace('!', '')));
  return last?.startsWith('!') || ignoreLines.some((line) => line.startsWith(`!${path}/`));
}

function copy(line, from, to) {
  const names = line
    .split(/\s+/)
    .slice(1)
    .filter((word) => !word.startsWith('--'));
  const target = names.pop();
  for (const name of names.map((each) => each.replace('/app/', ''))) {
    const path = target.endsWith('/') && statSync(join(from, name)).isFile() ? basename(name) : target;
    cpSync(join(from, name), join(to, path), {
      recursive: true,
      filter: (each) => from !== '.' || isLetIn(each),
    });
  }
}

const run = (command, cwd, env = {}) =>
  execFileSync('sh', ['-c', command], {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

function lay() {
  mkdirSync(built);
  mkdirSync(image);
  for (const line of stages[0]) {
    if (line.startsWith('COPY ')) copy(line, '.', built);
    if (line === 'RUN npm ci') run(`cp -Rl node_modules ${built}/ || cp -R node_modules ${built}/`, '.');
    else if (line.startsWith('RUN node scripts/build.mjs')) bringBuild(line.slice(4));
    else if (line.startsWith('RUN ')) console.log(run(line.slice(4), built).trim());
  }
  for (const line of stages[1])
    if (line.startsWith('COPY ')) copy(line, line.includes('--from=build') ? built : '.', image);
}

/** The build finds itself done, unless the Dockerfile copies other sources than those of this checkout. */
function bringBuild(command) {
  for (const folder of ['dist', 'src/generated', 'packages/client/dist', 'packages/client/src/generated'])
    cpSync(folder, join(built, folder), { recursive: true });
  console.log(run(command, built).trim());
}

/** Packages and bytes below a folder of packages. */
function measure(folder) {
  let [packages, bytes] = [0, 0];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    bytes += statSync(join(entry.parentPath, entry.name)).size;
    const inside = dirname(join(entry.parentPath, entry.name)).split('node_modules/').at(-1);
    if (entry.name === 'package.json' && inside !== '' && inside === packageOf(entry.parentPath)) packages++;
  }
  return { packages, bytes };
}

const packageOf = (path) => {
  const parts = path.split('node_modules/').at(-1).split('/');
  return (parts[0].startsWith('@') ? parts.slice(0, 2) : parts.slice(0, 1)).join('/');
};

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

async function start(port) {
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: data,
    PORT: String(port),
    LOG_LEVEL: 'error',
    MIN_FREE_MB: '16',
  };
  const server = spawn(process.execPath, ['dist/main.js'], { cwd: image, env, stdio: 'inherit' });
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(100)) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (ready?.ok) return server;
  }
  throw new Error('The server was not ready in time.');
}

/** Begins a game with one move; returns its id and its record. */
async function playOn(port) {
  const ask = async (path, body, player) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(player && { authorization: `Bearer ${player.session.accessToken}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const register = (username) => ask('/v1/users', { username, password: 'seven green doors' });
  const [first, second] = [await register('ann'), await register('ben')];
  const terms = { ruleset: 'chess', timeControl: { none: {} }, side: 'first', opponent: { username: 'ben' } };
  const { challenge } = await ask('/v1/challenges', terms, first);
  await ask(`/v1/challenges/${challenge.id}/accept`, {}, second);
  await ask(`/v1/games/${challenge.id}/moves`, { ply: 1, move: 'e4' }, first);
  return { id: challenge.id, record: await ask(`/v1/games/${challenge.id}/record`) };
}

lay();
const { packages, bytes } = measure(join(image, 'node_modules'));
console.log(`The image has ${packages} packages of ${(bytes / 1e6).toFixed(0)} MB.`);
if (packages > MOST_PACKAGES || bytes > MOST_BYTES || packages < 100)
  throw new Error(`At most ${MOST_PACKAGES} packages of ${MOST_BYTES / 1e6} MB are allowed.`);

const port = await freePort();
const server = await start(port);
const { id, record } = await playOn(port);
// With the client, as it is built.
console.log(run(`npm run -s demo -- http://127.0.0.1:${port}`, image).trim().split('\n').at(-1));
server.kill('SIGTERM');
await once(server, 'exit');
writeFileSync(join(work, 'record.json'), JSON.stringify(record));

const env = { DATA_DIR: data, MIN_FREE_MB: '16' };
for (const [command, settings] of [
  // 3: nothing is wrong, but not everything is proved yet.
  [`npm run -s verify -- ${work}/record.json || [ $? -eq 3 ]`, env],
  [`npm run -s adjudicate -- ${id} "checked"`, env],
  ['npm run -s explorer:rebuild', env],
  [`npm run -s db:export -- ${work}/all.gz`, env],
  [`npm run -s db:import -- ${work}/all.gz`, { ...env, DATA_DIR: other }],
]) {
  const [printed] = run(command, image, settings).trim().split('\n').slice(-1);
  console.log(`${command.split(' -- ')[0]}: ${printed}`);
}
