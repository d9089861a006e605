import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { CommitStore } from '../dist/features/games/commit.store.js';
import { Participants } from '../dist/features/games/participants.js';
import { BY_HAND, start, withPly } from '../dist/features/games/transition.js';
import { UsersService } from '../dist/features/users/users.service.js';
import { GameNews, newsOf } from '../dist/features/notifications/game-news.js';
import { NotificationsStore } from '../dist/features/notifications/notifications.store.js';
import { openDatabase } from '../dist/platform/database/database.js';
import { PrismaService } from '../dist/platform/database/prisma.service.js';
import { Health } from '../dist/platform/process/health.js';

/**
 * Measures committed moves per second in three ways: the server's own (one guarded statement, group commit),
 * an interactive transaction with the same effect, and pgbench running the same guarded statement for single
 * moves. All are measured in alternation in one run; the results are medians of the rounds. Uses the
 * PostgreSQL server of DATABASE_URL (default: on this machine), on a temporary database.
 *
 *   npm run bench:commit [-- SECONDS ROUNDS]
 *
 *   SECONDS   duration of each measurement (default 3)
 *   ROUNDS    number of rounds (default 3)
 */

const SECONDS = Number(process.argv[2] ?? 3);
const ROUNDS = Number(process.argv[3] ?? 3);
const CLIENTS = [8, 32];
const SERVER = process.env.DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';

const gameId = (n) => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const userId = (n) => `00000000-0000-7000-9000-${n.toString(16).padStart(12, '0')}`;
const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
/** The stored game keeps a typical length, however long the benchmark runs. */
const MOVES = Array.from({ length: 40 }, (_, ply) => ['g1f3', 'g8f6', 'f3g1', 'f6g8'][ply % 4]).join(' ');
const HASH = 'a'.repeat(64);
const JUDGED = {
  ply: {
    move: 'g1f3',
    player: 'first',
    reveals: null,
    captured: null,
    san: 'Nf3',
    fen: START,
    check: false,
    claimable: [],
  },
  proof: null,
  outcome: null,
  turn: 'second',
  anchors: false,
};

async function seed(prisma, games) {
  const now = new Date();
  const users = [1, 2].map((n) => ({
    id: userId(n),
    username: `bench${n}`,
    displayName: 'b',
    passwordHash: '',
    createdAt: now,
  }));
  await prisma.user.createMany({ data: users });
  const rows = Array.from({ length: games }, (_, n) => ({
    id: gameId(n),
    ruleset: 'chess',
    options: {},
    setup: null,
    timeControl: { type: 'perMove', seconds: 86400 },
    rated: false,
    clock: {
      allowance: 86400,
      given: 0,
      stops: [],
      reminded: false,
      bank: null,
      away: { first: null, second: null },
    },
    offers: { draw: null, takeback: null, pause: null, refused: { first: 0, second: 0 } },
    takebacks: [],
    plans: 0,
    firstId: userId(1),
    secondId: userId(2),
    status: 'active',
    version: 1,
    plyCount: 0,
    turn: 'first',
    position: START,
    anchorPosition: START,
    anchorPly: 0,
    moves: MOVES,
    termsHash: HASH,
    headHash: HASH,
    commitment: HASH,
    dealRoot: null,
    format: 2,
    firstClientSeed: null,
    secondClientSeed: null,
    clientSeedHash: null,
    accepterSeedHash: null,
    creator: 'first',
    sidesDrawn: false,
    sidesBy: 'wish',
    turnStartedAt: now,
    deadlineAt: new Date(now.getTime() + 86_400_000),
    winner: null,
    reason: null,
    createdAt: now,
    lastActivityAt: now,
    endedAt: null,
  }));
  await prisma.game.createMany({ data: rows });
}

/** Plays in all games at once for the given time, one client per game; returns moves per second. */
async function measure(prisma, clients, commit) {
  const rows = await prisma.game.findMany({
    where: { id: { in: Array.from({ length: clients }, (_, n) => gameId(n)) } },
  });
  let committed = 0;
  const end = performance.now() + SECONDS * 1000;
  const play = async (first) => {
    for (let row = first; performance.now() < end; committed++) {
      const transition = withPly(start(row), JUDGED, BY_HAND, new Date());
      const after = { ...transition.after, moves: MOVES };
      if (!(await commit({ ...transition, after })))
        throw new Error('The guard refused a move although the game has only one client');
      row = { ...after, turn: 'first' };
    }
  };
  await Promise.all(rows.map(play));
  return committed / SECONDS;
}

/** The usual first implementation, with the same effect. */
const interactively = (prisma) => (transition) => {
  const { before, after, plies } = transition;
  const { id } = after;
  const data = { ...after, firstPlan: undefined, secondPlan: undefined };
  for (const key of ['id', 'setup', 'options']) delete data[key];
  const { notices, stale } = newsOf(transition);
  // eslint-disable-next-line no-restricted-syntax -- the baseline that it is compared with
  return prisma.$transaction(async (tx) => {
    const game = await tx.game.findUniqueOrThrow({ where: { id } });
    if (game.version !== before.version) return false;
    await tx.ply.create({ data: { ...plies[0], proof: undefined } });
    const { firstId: userId, secondId: otherId } = game;
    await tx.event.create({ data: { userId, otherId, gameId: id, version: after.version, steps: 1 } });
    for (const { userId, gameId, type, data: news, at } of notices) {
      const fresh = { data: news, createdAt: at, readAt: null };
      const where = { userId_gameId_type: { userId, gameId, type } };
      await tx.notification.upsert({ where, create: { userId, gameId, type, ...fresh }, update: fresh });
    }
    await tx.notification.updateMany({
      where: { gameId: id, OR: stale.map(({ userId, type }) => ({ userId, type })), readAt: null },
      data: { readAt: new Date() },
    });
    const { count } = await tx.game.updateMany({
      where: { id, version: before.version },
      data,
    });
    return count === 1;
  });
};

/** A pgbench script with one guarded statement per move; each client plays in its own game. */
const PGBENCH_SCRIPT = `
SELECT version AS v FROM games WHERE id = ('00000000-0000-7000-8000-' || lpad(to_hex(:client_id::int), 12, '0'))::uuid \\gset
`;
const PGBENCH_MOVE = `
WITH won AS (
  UPDATE games SET version = version + 1, ply_count = ply_count + 1, turn = 'second', position = '${START}', moves = '${MOVES}',
    head_hash = '${HASH}', turn_started_at = now(), deadline_at = now() + interval '1 day', last_activity_at = now()
  WHERE id = ('00000000-0000-7000-8000-' || lpad(to_hex(:client_id::int), 12, '0'))::uuid AND version = :v RETURNING id, version, ply_count, first_id, second_id
), played AS (
  INSERT INTO plies (game_id, seq, ply, player, move, san, position, time_used, automatic, played_at, previous_hash, hash)
  SELECT id, version, ply_count, 'first', 'g1f3', 'Nf3', '${START}', 0, false, now(), '${HASH}', '${HASH}' FROM won
), told AS (
  INSERT INTO events (user_id, other_id, game_id, version, steps) SELECT first_id, second_id, id, version, 1 FROM won
) SELECT id FROM won;
`;

function pgbench(url, clients, folder) {
  const script = join(folder, 'move.sql');
  writeFileSync(script, (PGBENCH_SCRIPT + PGBENCH_MOVE).replaceAll('\n', ' ').replace('\\gset', '\\gset\n'));
  const args = [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(clients),
    '-j',
    '2',
    '-T',
    String(SECONDS),
    '-f',
    script,
    url,
  ];
  const { stdout, stderr, error } = spawnSync('pgbench', args, { encoding: 'utf8' });
  if (error) return null;
  const found = /tps = ([\d.]+)/.exec(stdout);
  if (!found || stderr.includes('ERROR')) throw new Error(`pgbench failed: ${stderr}`);
  return Number(found[1]);
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

async function rounds(database, clients, url, folder) {
  const prisma = new PrismaService(database);
  const participants = new Participants();
  new GameNews(new NotificationsStore(prisma), participants);
  // The statement needs only the columns of a user.
  const users = new UsersService(null, null);
  const store = new CommitStore(prisma, participants, users, { maxCommitsWaiting: 10_000 }, new Health());
  const ways = {
    'group commit': () => measure(database.prisma, clients, (transition) => store.commit(transition)),
    'interactive transaction': () => measure(database.prisma, clients, interactively(database.prisma)),
    ...(url === null
      ? {}
      : { 'pgbench, read and guarded statement': () => Promise.resolve(pgbench(url, clients, folder)) }),
  };
  const results = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, way] of Object.entries(ways)) results[name].push(await way());
  }
  return Object.entries(results).map(([name, numbers]) => [
    name,
    numbers.includes(null) ? null : median(numbers),
  ]);
}

function print(kind, clients, results) {
  const base = results.find(([name]) => name === 'interactive transaction')[1];
  for (const [name, moves] of results) {
    const figure =
      moves === null
        ? 'not installed'
        : `${Math.round(moves).toString().padStart(7)} moves/s  ${(moves / base).toFixed(2).padStart(6)} x`;
    console.log(`${kind.padEnd(11)} ${String(clients).padStart(3)} clients  ${name.padEnd(36)} ${figure}`);
  }
}

async function run(kind, config, url, folder) {
  const database = await openDatabase(config, () => undefined);
  try {
    await seed(database.prisma, Math.max(...CLIENTS));
    for (const clients of CLIENTS) print(kind, clients, await rounds(database, clients, url, folder));
  } finally {
    await database.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'halfmove-bench-'));
const name = `halfmove_bench_${randomBytes(4).toString('hex')}`;
const admin = new pg.Client({ connectionString: SERVER });
try {
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(SERVER), { pathname: `/${name}` }).href;
  const config = { dataDir: folder, databasePool: Math.max(...CLIENTS), minFreeBytes: 0 };
  await run('PostgreSQL', { ...config, databaseUrl: url }, url, folder);
  await run('embedded', { ...config, databaseUrl: null }, null, folder);
} finally {
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).catch(() => undefined);
  await admin.end().catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
}
