import { randomUUID } from 'node:crypto';
import pg from 'pg';

/**
 * What a site does on its first day: an application saves players and begins games between them in bulk. Each request is
 * cut once in the middle and sent again; afterwards each player and each game must be there exactly once.
 *
 *   HALFMOVE=http://localhost:3000 npm run bench -- bulk [PLAYERS] [GAMES]
 *
 * The server must run, with MAX_RUNNING_GAMES high enough (each player gets about 2 * GAMES / PLAYERS games). With PG_URL,
 * the address of its database, it prints statements and bytes of write-ahead log as well.
 */

const [players = 2000, games = 1000] = process.argv.slice(2).map(Number);
const url = process.env.HALFMOVE ?? 'http://localhost:3000';
const PLAYERS_AT_ONCE = 200;
const GAMES_AT_ONCE = 100;
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

const username = `bulk-${randomUUID().slice(0, 12)}`;
const { session } = await call('POST', '/v1/users', { username, password: 'three words and a horse' });
const site = { name: 'A site', url: 'https://example.org' };
const { application, secret } = await call('POST', '/v1/applications', site, session.accessToken);
const { token } = await call('POST', `/v1/applications/${application.id}/tokens`, { secret });
const database = process.env.PG_URL === undefined ? null : new pg.Client(process.env.PG_URL);
await database?.connect();

async function wal() {
  if (database === null) return null;
  const { rows } = await database.query(
    'SELECT (pg_current_wal_insert_lsn() - $1::pg_lsn)::float8 AS bytes',
    ['0/0'],
  );
  return rows[0].bytes;
}

async function timed(what, count, work) {
  const [from, bytes] = [performance.now(), await wal()];
  await work();
  const seconds = (performance.now() - from) / 1000;
  const written = bytes === null ? '' : `, ${Math.round(((await wal()) - bytes) / count)} bytes of log each`;
  console.log(
    `${what}: ${count} in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} a second${written}`,
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
const savePlayers = (part) => ['PUT', '/v1/application/players', { players: part }, token];
const beginGames = (part) => ['POST', '/v1/application/games', { games: part }, token];

const [cutPlayers, wholePlayers] = chunks(named, Math.ceil(players / 2));
const [cutGames, wholeGames] = chunks(wanted, Math.ceil(games / 2));
for (const part of chunks(cutPlayers, PLAYERS_AT_ONCE)) await cutOnce(10, ...savePlayers(part));
await timed('players', wholePlayers.length, async () => {
  for (const part of chunks(wholePlayers, PLAYERS_AT_ONCE)) await call(...savePlayers(part));
});
for (const part of chunks(cutGames, GAMES_AT_ONCE)) await cutOnce(100, ...beginGames(part));
await timed('games', wholeGames.length, async () => {
  for (const part of chunks(wholeGames, GAMES_AT_ONCE)) await call(...beginGames(part));
});
await timed('games sent again', wholeGames.length, async () => {
  for (const part of chunks(wholeGames, GAMES_AT_ONCE)) await call(...beginGames(part));
});

const ids = (items) => new Set(items.map(({ externalId }) => externalId)).size;
const [there, begun] = [
  await all('/v1/application/players', token),
  await all('/v1/application/games', token),
];
console.log(`players there: ${there.length}, different: ${ids(there)}, wanted: ${players}`);
console.log(`games there: ${begun.length}, different: ${ids(begun)}, wanted: ${games}`);
await database?.end();
if (there.length !== players || begun.length !== games) process.exitCode = 1;
