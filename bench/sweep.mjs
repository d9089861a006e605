import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { SHOWN_LATE_MS } from '../dist/features/games/as-of-now.js';
import { insertGames } from './seed/insert-games.mjs';

/**
 * Measures how fast one and three servers end many games whose time runs out at once, as multiples of one
 * statement that only marks the same rows. Checks that each game is ended once, as of its own deadline, and
 * that reads show a game as running for no longer than the time that the server waits for acts that came in
 * time. Uses the PostgreSQL server of DATABASE_URL (default: on this machine), on a temporary database.
 *
 *   npm run bench:sweep [-- GAMES]
 *
 *   GAMES   number of overdue games (default 100,000)
 */

const GAMES = Number(process.argv[2] ?? 100_000);
const SERVER = process.env.DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const PROGRAM = new URL('../dist/main.js', import.meta.url).pathname;

const running = new Set();

async function startServer(databaseUrl, dataDir) {
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    LOG_LEVEL: 'warn',
    SWEEP_SECONDS: '1',
    // The copied games have no challenges, so they cannot be logged.
    LOG_SECONDS: '3600',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
  };
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  for (;;) {
    const port = /http:\/\/localhost:(\d+)\/graphiql/.exec(said)?.[1];
    if (port !== undefined) return { child, url: `http://127.0.0.1:${port}/v1` };
    if (child.exitCode !== null) throw new Error(`The server exited: ${said}`);
    await pause(50);
  }
}

async function endServers() {
  const ended = [...running].map((child) => once(child, 'close'));
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(ended);
  running.clear();
}

async function post(url, path, body, token) {
  const answer = await fetch(`${url}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer.json();
}

/** One real game, from which the others are copied. */
async function template({ url }) {
  const people = ['ann', 'ben'].map((name) => ({ username: `${name}-${randomBytes(4).toString('hex')}`, password: randomBytes(9).toString('hex') })); // prettier-ignore
  const sessions = await Promise.all(people.map((person) => post(url, 'users', person)));
  const [ann, ben] = sessions.map(({ session }) => session);
  const terms = { ruleset: 'chess', opponent: { username: ben.user.username }, side: 'first', timeControl: { perMove: { seconds: 86_400 } } }; // prettier-ignore
  const { challenge } = await post(url, 'challenges', terms, ann.accessToken);
  const { id } = challenge;
  await post(url, `challenges/${id}/accept`, {}, ben.accessToken);
  await post(url, `games/${id}/moves`, { ply: 1, move: 'e2e4' }, ann.accessToken);
  await post(url, `games/${id}/moves`, { ply: 2, move: 'e7e5' }, ben.accessToken);
  return id;
}

/** Copies whose deadlines are a millisecond apart and have just passed. */
const seed = (db, id, round) =>
  db.query(
    insertGames(`
    SELECT copy.* FROM games g CROSS JOIN generate_series(1, ${GAMES}) n
    CROSS JOIN LATERAL jsonb_populate_record(NULL::games, to_jsonb(g) || jsonb_build_object(
      'id', '00000000-0000-${7000 + round}-8000-' || lpad(to_hex(n), 12, '0'),
      'turn_started_at', now() - interval '1 day' - n * interval '1 millisecond',
      'deadline_at', now() - n * interval '1 millisecond',
      'wake_at', now() - interval '4 hours')) copy
    WHERE g.id = '${id}'`),
  );

const count = async (db, where) => Number((await db.query(`SELECT count(*) FROM games WHERE ${where}`)).rows[0].count); // prettier-ignore

const ofRound = (round) => `id::text LIKE '00000000-0000-${7000 + round}-%'`;

/** Seconds until the last overdue game has ended. */
async function sweep(db, id, servers, round) {
  await seed(db, id, round);
  const start = performance.now();
  let seenRunning = 0;
  let read = 0;
  const reader = (async () => {
    for (; seenRunning >= 0 && running.size > 0; read++) {
      const n = 1 + Math.floor(Math.random() * GAMES);
      const game = `00000000-0000-${7000 + round}-8000-${n.toString(16).padStart(12, '0')}`;
      const asked = Date.now();
      const answer = await fetch(`${servers[read % servers.length].url}/games/${game}`);
      const { status, deadlineAt } = await answer.json();
      if (status !== 'finished' && Date.parse(deadlineAt) + SHOWN_LATE_MS < asked) seenRunning++;
      if ((await count(db, `${ofRound(round)} AND status = 'active' LIMIT 1`)) === 0) return;
    }
  })();
  while ((await count(db, `deadline_at < now()`)) > 0) await pause(100);
  const seconds = (performance.now() - start) / 1000;
  await reader;
  const stamped = await db.query(`
    SELECT count(*) AS games FROM games g WHERE ${ofRound(round)} AND reason = 'timeout' AND status = 'finished'
      AND g.ended_at = g.turn_started_at + interval '1 day'
      AND (SELECT count(*) FROM game_events e WHERE e.game_id = g.id AND e.type IN ('flag', 'end') AND e.at = g.ended_at) = 2
      AND (SELECT count(*) FROM game_events e WHERE e.game_id = g.id AND e.type = 'end') = 1`);
  return { seconds, seenRunning, read, once: Number(stamped.rows[0].games) };
}

/** One statement that marks as many rows and does nothing else. */
async function marking(db, id) {
  await seed(db, id, 9);
  const start = performance.now();
  await db.query(`
    UPDATE games SET status = 'finished', reason = 'timeout', winner = 'second', turn = NULL, deadline_at = NULL,
      wake_at = NULL, ended_at = now(), last_activity_at = now(), version = version + 1 WHERE ${ofRound(9)}`);
  return (performance.now() - start) / 1000;
}

const folder = mkdtempSync(join(tmpdir(), 'halfmove-bench-'));
const name = `halfmove_bench_${randomBytes(4).toString('hex')}`;
const admin = new pg.Client({ connectionString: SERVER });
let db;
try {
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(SERVER), { pathname: `/${name}` }).href;
  let servers = [await startServer(url, folder)];
  db = new pg.Client({ connectionString: url });
  await db.connect();
  const id = await template(servers[0]);
  const one = await sweep(db, id, servers, 1);
  servers = [...servers, await startServer(url, folder), await startServer(url, folder)];
  const three = await sweep(db, id, servers, 2);
  await endServers();
  const base = await marking(db, id);
  console.log(
    `${GAMES} games that ran out of time at once. One statement that marks them: ${base.toFixed(1)} s`,
  );
  for (const [who, { seconds, seenRunning, read, once: ended }] of [
    ['one server', one],
    ['three servers', three],
  ]) {
    console.log(
      `${who.padEnd(14)} ${seconds.toFixed(1).padStart(6)} s until the last has ended   ${(seconds / base).toFixed(1).padStart(6)} x  ` +
        `${ended} ended once, as of their deadlines; ${seenRunning} of ${read} reads showed an overdue game as running`,
    );
  }
} finally {
  await endServers();
  await db?.end().catch(() => undefined);
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).catch(() => undefined);
  await admin.end().catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
}
