import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { main } from '../scripts/support.mjs';
import { Watcher } from './fan-out/watcher.mjs';
import { askWell, Connection, graphql } from './whole-path/connection.mjs';
import { closeDatabase, openDatabase } from './whole-path/database.mjs';
import { PLIES } from './whole-path/line.mjs';
import {
  operations,
  playersOf,
  playingMatch,
  registerClients,
  startEmbedded,
  startOnPostgres,
} from './whole-path/product.mjs';
import { endServers, temporaryFolder } from './whole-path/servers.mjs';
import { row } from './whole-path/statistics.mjs';

/**
 * Measures whether the memory of the server stays flat: for an hour, clients play games to a resignation at the pace of
 * a busy site, read at random after each move, and watch each game over a socket of its own. At each twelfth of the time
 * it prints what the heap holds after a garbage collection, and the resident memory. What the caches may hold (CACHE_MB)
 * comes on top of the first line; beyond that nothing may grow.
 *
 *   npm run bench -- soak [MINUTES]   default 60
 *
 *   EMBEDDED=1 for the embedded database
 *   HALFMOVE, PRODUCT_ENV, PG_URL: see whole-path.mjs
 */

const MINUTES = Number(process.argv[2] ?? 60);
const PARTS = 12;
const CLIENTS = 16;
/** With 16 clients some 50 moves and 50 reads a second. */
const PAUSE_MS = 300;
const HEAP_FILE = join(temporaryFolder(), 'live-heap');
const PRELOAD = fileURLToPath(new URL('soak/live-heap.mjs', import.meta.url));
const MB = 1024 * 1024;

const counts = { moves: 0, reads: 0, events: 0 };

const READS = Object.values(operations.reads).filter(({ unchanged }) => !unchanged);

function read(connection, { username, token }, game) {
  const { path, query, variables } = READS[Math.floor(Math.random() * READS.length)];
  const of = { username, game, own: game };
  counts.reads++;
  if (path) return askWell(connection, 'GET', path(of), token);
  return graphql(connection, token, query, variables?.(of) ?? {});
}

async function watch({ port }, { token }, game) {
  const watcher = await Watcher.open(port, '/graphql', 'graphql-transport-ws');
  watcher.send({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } });
  await watcher.until(1);
  const { query, variables } = operations.watch;
  watcher.send({ id: '1', type: 'subscribe', payload: { query, variables: variables(game) } });
  return watcher;
}

/** A client plays, reads and watches one game after the other until the time is over. */
async function play(server, client, isOver) {
  const connection = new Connection(server.port);
  const players = playersOf(server, client);
  const match = playingMatch(server, client);
  while (!isOver()) {
    await match.prepare(1);
    const game = await match.fresh();
    const watcher = await watch(server, players[0], game);
    for (let ply = 0; ply < PLIES && !isOver(); ply++) {
      await match.act(ply);
      counts.moves++;
      await read(connection, players[1 - (ply % 2)], game);
      await pause(PAUSE_MS * 2 * Math.random());
    }
    await graphql(connection, players[0].token, operations.resign.query, operations.resign.variables(game));
    counts.events += watcher.messages;
    watcher.close();
  }
  match.close();
  connection.close();
}

async function liveHeap(pid) {
  rmSync(HEAP_FILE, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (;;) {
    await pause(100);
    try {
      const bytes = readFileSync(HEAP_FILE, 'utf8');
      if (bytes !== '') return Number(bytes) / MB;
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
}

const residentOf = (pid) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

async function show({ pid }, minute) {
  const live = (await liveHeap(pid)).toFixed(0);
  const { moves, reads, events } = counts;
  console.log(row([minute.toFixed(0), moves, reads, events, live, residentOf(pid).toFixed(0)]));
}

async function run() {
  const observed = { args: ['--expose-gc', '--import', PRELOAD], env: { LIVE_HEAP_FILE: HEAP_FILE } };
  const isEmbedded = process.env.EMBEDDED === '1';
  const server = await (isEmbedded ? startEmbedded(observed) : startOnPostgres(undefined, observed));
  await registerClients(server, CLIENTS);
  console.log(`\n### ${CLIENTS} clients that play, read and watch for ${MINUTES} minutes\n`);
  console.log(row(['minute', 'moves', 'reads', 'events', 'live heap MB', 'RSS MB']));
  console.log(row(['---', '---', '---', '---', '---', '---']));
  await show(server, 0);
  const end = performance.now() + MINUTES * 60_000;
  const clients = Array.from({ length: CLIENTS }, (_, client) =>
    play(server, client, () => performance.now() >= end),
  );
  const played = Promise.all(clients);
  for (let part = 1; part <= PARTS; part++) {
    await Promise.race([played, pause((MINUTES * 60_000) / PARTS)]);
    await show(server, (MINUTES / PARTS) * part);
  }
  await played;
}

await main(async () => {
  await openDatabase();
  try {
    await run();
  } finally {
    await endServers();
    await closeDatabase();
  }
});
