import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/**
 * Measures the log of all games: its bytes per game; how fast a server appends many waiting openings and
 * ends, as a multiple of a single statement that copies as many rows; and reads per second of a checkpoint,
 * of tiles and of entries, compared with /livez, which reads nothing. Uses the PostgreSQL server of
 * DATABASE_URL (default: on this machine), on a temporary database.
 *
 *   npm run bench:log [-- GAMES]
 *
 *   GAMES   number of games to append (default 20,000)
 */

const GAMES = Number(process.argv[2] ?? 20_000);
const READ_MS = 3000;
const SERVER = process.env.DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const PROGRAM = new URL('../dist/main.js', import.meta.url).pathname;

async function startServer(databaseUrl, dataDir, logSeconds) {
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    LOG_LEVEL: 'warn',
    LOG_SECONDS: String(logSeconds),
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
  };
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  for (;;) {
    const port = /http:\/\/localhost:(\d+)\/graphiql/.exec(said)?.[1];
    if (port !== undefined) return { child, url: `http://127.0.0.1:${port}` };
    if (child.exitCode !== null) throw new Error(`The server exited: ${said}`);
    await pause(50);
  }
}

async function endServer({ child }) {
  child.kill('SIGTERM');
  await once(child, 'close');
}

/** Cancelled challenges, which add two entries each, an opening and an end, like a game. */
async function seed(db) {
  await db.query(`INSERT INTO users (id, username, display_name, password_hash, created_at)
    VALUES (gen_random_uuid(), 'ann', 'Ann', '', now())`);
  await db.query(`
    INSERT INTO challenges (id, kind, creator_id, status, ruleset, options, time_control, rated, side, commitment,
      created_at, expires_at, format, create_hash, head_hash)
    SELECT gen_random_uuid(), 'link', u.id, 'open', 'chess', '{}', '{"type": "none"}', false, 'any',
      encode(sha256(n::text::bytea), 'hex'), now(), now() + interval '1 day', 2, encode(sha256(n::text::bytea), 'hex'),
      encode(sha256(n::text::bytea), 'hex')
    FROM users u, generate_series(1, ${GAMES}) n`);
  await db.query(`UPDATE challenges SET status = 'cancelled', answered_at = now()`);
}

const number = async (db, sql) => Number((await db.query(sql)).rows[0].n);

/** Seconds from the first entry in the log until none are waiting. */
async function append(db) {
  while ((await number(db, 'SELECT count(*) n FROM log_entries')) === 0) await pause(5);
  const logged = await number(db, 'SELECT count(*) n FROM log_entries');
  const start = performance.now();
  while ((await number(db, 'SELECT count(*) n FROM unlogged')) > 0) await pause(20);
  const entries = await number(db, 'SELECT count(*) n FROM log_entries');
  return { entries, perSecond: ((entries - logged) / (performance.now() - start)) * 1000 };
}

/** One statement that writes the same rows to a table without keys. */
async function copying(db, entries) {
  await db.query('CREATE TABLE copies (LIKE log_entries)');
  const start = performance.now();
  await db.query('INSERT INTO copies SELECT * FROM log_entries');
  return (entries / (performance.now() - start)) * 1000;
}

/** Answers per second for four concurrent readers. */
async function reads(url) {
  let answers = 0;
  let bytes = 0;
  const end = performance.now() + READ_MS;
  const reader = async () => {
    while (performance.now() < end) {
      const answer = await fetch(url);
      if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
      bytes = (await answer.arrayBuffer()).byteLength;
      answers++;
    }
  };
  await Promise.all([reader(), reader(), reader(), reader()]);
  return { perSecond: (answers / READ_MS) * 1000, bytes };
}

const folder = mkdtempSync(join(tmpdir(), 'halfmove-bench-'));
const name = `halfmove_bench_${randomBytes(4).toString('hex')}`;
const admin = new pg.Client({ connectionString: SERVER });
let db;
let server;
try {
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(SERVER), { pathname: `/${name}` }).href;
  // The first start creates the tables.
  await endServer(await startServer(url, folder, 3600));
  db = new pg.Client({ connectionString: url });
  await db.connect();
  await seed(db);
  server = await startServer(url, folder, 1);
  const { entries, perSecond } = await append(db);
  const copied = await copying(db, entries);
  const text = await number(db, 'SELECT sum(octet_length(entry)) n FROM log_entries');
  const stored = await number(
    db,
    `SELECT pg_total_relation_size('log_entries') + pg_total_relation_size('log_nodes') n`,
  );
  console.log(
    `${entries} entries of ${GAMES} games in the log, ${Math.ceil(entries / 256)} tiles at level 0`,
  );
  console.log(`bytes a game     ${(text / GAMES).toFixed(0)} of entries, ${(stored / GAMES).toFixed(0)} in the database with hashes and indexes`); // prettier-ignore
  console.log(`appended         ${perSecond.toFixed(0)} a second; one statement that copies the rows is ${(copied / perSecond).toFixed(1)} x as fast`); // prettier-ignore
  const nothing = await reads(`${server.url}/livez`);
  console.log(`/livez            ${nothing.perSecond.toFixed(0)} a second`);
  const game = (await db.query('SELECT game_id FROM log_entries ORDER BY idx LIMIT 1')).rows[0].game_id;
  for (const [what, path] of [
    ['checkpoint', 'log/checkpoint'],
    ['tile of hashes', 'log/tile/0/000'],
    ['bundle of entries', 'log/tile/entries/000'],
    ['proof of an entry', `v1/games/${game}/log-proof`],
  ]) {
    const read = await reads(`${server.url}/${path}`);
    console.log(`${what.padEnd(18)} ${String(read.bytes).padStart(7)} bytes  ${(nothing.perSecond / read.perSecond).toFixed(1).padStart(5)} x the time of /livez`); // prettier-ignore
  }
} finally {
  if (server !== undefined) await endServer(server);
  await db?.end().catch(() => undefined);
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).catch(() => undefined);
  await admin.end().catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
}
