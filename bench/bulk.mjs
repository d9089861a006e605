import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { closeDatabase, openDatabase } from './whole-path/database.mjs';
import { startOnPostgres } from './whole-path/product.mjs';
import { endServers } from './whole-path/servers.mjs';
import { openWal } from './whole-path/wal.mjs';
import { openWire } from './whole-path/wire.mjs';

/**
 * What a site does on its first day: an application saves players and begins games between them in bulk. Each request of
 * the first half is cut once in the middle and sent again; afterwards each player and each game must be there exactly
 * once. The second half is timed, and what it asks of PostgreSQL is counted: statements by a proxy, rows and bytes from
 * the write-ahead log.
 *
 *   npm run bench -- bulk [PLAYERS] [GAMES]
 *
 * It starts a server of its own on the PostgreSQL of PG_URL.
 */

const [players = 2000, games = 1000] = process.argv.slice(2).map(Number);
const PLAYERS_AT_ONCE = 200;
const GAMES_AT_ONCE = 100;
/** Commits of the server become visible to the reader of the log a moment later. */
const SETTLED_MS = 500;
const JSON_TYPE = { 'content-type': 'application/json' };

async function call(method, path, body, token, signal) {
  const headers = token === undefined ? JSON_TYPE : { ...JSON_TYPE, authorization: `Bearer ${token}` };
  const response = await fetch(`${url}${path}`, {
    method,
    headers,
    body: body && JSON.stringify(body),
    signal,
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Sends a request, cuts it after `ms`, and sends it again. */
async function cutOnce(ms, ...request) {
  await call(...request, AbortSignal.timeout(ms)).catch(() => undefined);
  return call(...request);
}

const chunks = (items, size) =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));

async function all(path, token) {
  const found = [];
  let after;
  do {
    const page = await call('GET', `${path}?first=100${after ? `&after=${encodeURIComponent(after)}` : ''}`, undefined, token); // prettier-ignore
    found.push(...page.items);
    after = page.next;
  } while (after !== null && after !== undefined);
  return found;
}

/** The counting proxy and the log of the database, and the server. */
let wire;
let wal;
let url;

const behind = async (address) => {
  wire = await openWire(address);
  return wire.url;
};

const total = () => [...wire.statements.values()].reduce((sum, one) => sum + one, 0);
const each = (number, count) => (number / count).toFixed(2);

async function counted(what, count, work) {
  await pause(SETTLED_MS);
  wire.reset();
  await wal.start();
  const from = performance.now();
  await work();
  const seconds = (performance.now() - from) / 1000;
  const statements = total();
  await pause(SETTLED_MS);
  const { commits, rows, bytes } = await wal.read();
  console.log(
    `${what}: ${count} in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} a second; each ` +
      `${each(statements, count)} statements, ${each(commits, count)} commits, ${each(rows.inserted, count)} rows ` +
      `inserted, ${each(rows.updated, count)} updated, ${Math.round(bytes / count)} bytes of log`,
  );
}

const named = Array.from({ length: players }, (_, i) => ({
  externalId: `m${i}`,
  displayName: `Member ${i}`,
}));
const wanted = Array.from({ length: games }, (_, i) => ({
  externalId: `g${i}`,
  first: { externalId: `m${(2 * i) % players}` },
  second: { externalId: `m${(2 * i + 1) % players}` },
  ruleset: i % 2 === 0 ? 'chess' : 'banqi-hongkong',
  timeControl: { perMove: { seconds: 259_200 } },
}));
async function run() {
  const { port } = await startOnPostgres(behind, { env: { MAX_RUNNING_GAMES: '1000' } });
  wal = await openWal(wire.target);
  url = `http://127.0.0.1:${port}`;

  const username = `bulk-${randomUUID().slice(0, 12)}`;
  const { session } = await call('POST', '/v1/users', { username, password: 'three words and a horse' });
  const site = { name: 'A site', url: 'https://example.org' };
  const { application, secret } = await call('POST', '/v1/applications', site, session.accessToken);
  const { token } = await call('POST', `/v1/applications/${application.id}/tokens`, { secret });
  const savePlayers = (part) => ['PUT', '/v1/application/players', { players: part }, token];
  const beginGames = (part) => ['POST', '/v1/application/games', { games: part }, token];

  const [cutPlayers, wholePlayers] = chunks(named, Math.ceil(players / 2));
  const [cutGames, wholeGames] = chunks(wanted, Math.ceil(games / 2));
  for (const part of chunks(cutPlayers, PLAYERS_AT_ONCE)) await cutOnce(10, ...savePlayers(part));
  await counted('players', wholePlayers.length, async () => {
    for (const part of chunks(wholePlayers, PLAYERS_AT_ONCE)) await call(...savePlayers(part));
  });
  for (const part of chunks(cutGames, GAMES_AT_ONCE)) await cutOnce(100, ...beginGames(part));
  await counted('games', wholeGames.length, async () => {
    for (const part of chunks(wholeGames, GAMES_AT_ONCE)) await call(...beginGames(part));
  });
  await counted('games sent again', wholeGames.length, async () => {
    for (const part of chunks(wholeGames, GAMES_AT_ONCE)) await call(...beginGames(part));
  });

  const ids = (items) => new Set(items.map(({ externalId }) => externalId)).size;
  const [there, begun] = [
    await all('/v1/application/players', token),
    await all('/v1/application/games', token),
  ];
  console.log(`players there: ${there.length}, different: ${ids(there)}, wanted: ${players}`);
  console.log(`games there: ${begun.length}, different: ${ids(begun)}, wanted: ${games}`);
  if (there.length !== players || begun.length !== games) process.exitCode = 1;
}

await openDatabase();
try {
  await run();
} finally {
  await wal?.close();
  await closeDatabase();
  await endServers();
  wire?.close();
}
