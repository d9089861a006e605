import { readFileSync } from 'node:fs';
import { main } from '../scripts/support.mjs';
import { cpuOf } from './whole-path/cpu.mjs';
import { closeDatabase, openDatabase } from './whole-path/database.mjs';
import { PLIES } from './whole-path/line.mjs';
import { playingMatch, registerClients, startOnPostgres } from './whole-path/product.mjs';
import { playMoves } from './whole-path/sample.mjs';
import { endServers } from './whole-path/servers.mjs';
import { row } from './whole-path/statistics.mjs';

/**
 * Measures the resident memory of the server on PostgreSQL while 32 clients play: after each tenth of the moves,
 * and its maximum, with the CPU time of a move beside it, because a smaller heap is collected more often. All
 * games are new, so nothing is repeated that a cache could hold back.
 *
 *   npm run bench -- memory [MOVES]   default 100,000
 *
 *   HALFMOVE, PRODUCT_ENV, PRODUCT_ARGS, PG_URL: see whole-path.mjs
 */

const MOVES = Number(process.argv[2] ?? 100_000);
const CLIENTS = 32;
const PARTS = 10;
/** Whole games, so that each part is the same work. */
const MOVES_EACH = PLIES * Math.max(1, Math.round(MOVES / PARTS / CLIENTS / PLIES));

/** A line of /proc/PID/status such as `VmRSS:  123456 kB`, in MB. */
function memoryOf(pid, name) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)[1]) / 1024;
}

async function run() {
  const server = await startOnPostgres();
  await registerClients(server, CLIENTS);
  const candidate = { server, match: playingMatch };
  console.log(`\n### Memory of the server, ${CLIENTS} clients on PostgreSQL\n`);
  console.log(row(['moves', 'RSS MB', 'maximum MB', 'CPU ms/move']));
  console.log(row(['---', '---', '---', '---']));
  for (let part = 0; part <= PARTS; part++) {
    const before = cpuOf(server.pid);
    if (part > 0) await playMoves(candidate, CLIENTS, MOVES_EACH);
    const cost = (cpuOf(server.pid) - before) / (CLIENTS * MOVES_EACH);
    const [now, most] = ['VmRSS', 'VmHWM'].map((name) => memoryOf(server.pid, name).toFixed(0));
    console.log(row([part * CLIENTS * MOVES_EACH, now, most, cost.toFixed(2)]));
  }
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
