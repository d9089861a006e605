import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../scripts/support.mjs';
import { loadAverage } from './whole-path/cpu.mjs';
import { measureCounts } from './whole-path/counts.mjs';
import { closeDatabase, openDatabase } from './whole-path/database.mjs';
import { printGoals } from './whole-path/goals.mjs';
import { measureMoves, rawOf as rawMoves } from './whole-path/moves.mjs';
import { installPeers } from './whole-path/peers.mjs';
import { measureReads, rawOf as rawReads } from './whole-path/reads.mjs';
import { endServers } from './whole-path/servers.mjs';
import { FOLDER, INSTALL, MOVES, MS, READS_TOO, ROUNDS } from './whole-path/settings.mjs';

/**
 * Measures the whole path of a durable move: client, HTTP, GraphQL, authentication, rules, database, answer.
 * Halfmove on PostgreSQL and on the embedded database is compared with boardgame.io and small prototypes, in
 * alternation and rotating order. All play the same line of chess: 80 plies that do not end the game, then a
 * new game, whose creation is not measured. The requests to Halfmove are in bench/operations.mjs.
 *
 *   npm run bench -- whole-path --install        installs the peers; without them only Halfmove is measured
 *   npm run bench -- whole-path [ROUNDS MS]      default 5 rounds of 3000 ms: about 15 minutes with the peers
 *
 * It prints what a move asks of PostgreSQL, the table of moves, that of a single client, the reads as multiples
 * of /livez and {__typename}, and the goals with what was measured.
 *
 * Needs Linux (CPU times are read from /proc) and a PostgreSQL server with the extension pg_walinspect. The
 * databases named halfmove_whole_path* are dropped and created at each start and kept after the run. Do not
 * start two runs at once.
 *
 *   M=8,32              numbers of clients, one table for each (default 32); reads use the first
 *   M1=0                leave out the table of a single client
 *   READS=0 or 1        leave out the reads, or all but the reads
 *   WARM=N              requests to each candidate before it is measured (default 3000)
 *   ONLY=REGEX          only candidates and reads whose names match
 *   KINDS=A,B           other prototypes; see whole-path/peers/prototypes/server.ts
 *   GAMES=N             games of each client that the reads use (default 10)
 *   HALFMOVE=FOLDER     measure another built checkout, with its own operations
 *   PRODUCT_ENV='A=1'   further settings of Halfmove
 *   PRODUCT_ARGS=ARGS   arguments for its Node: --cpu-prof --cpu-prof-dir=FOLDER writes a profile
 *   PG_URL=URL          the PostgreSQL server, as postgresql://user:password@host:port
 *   PERF=FOLDER         folder for peers and raw samples (default .cache/whole-path)
 *
 * Each figure is the median of the rounds with the least and the greatest; ratios are formed for each round. Clients, servers and database share one machine, so compare only ratios within one run. The
 * load average beside each table shows what else the machine did. "Server CPU" is that of the server's
 * process, including the embedded database; "with PostgreSQL" adds all PostgreSQL processes of the machine.
 * The bytes of write-ahead log (WAL) beside the times are those of the whole PostgreSQL server; the counts are exact
 * whatever else it does.
 */

function saveRaw(raw) {
  const folder = join(FOLDER, 'out');
  mkdirSync(folder, { recursive: true });
  const head = { at: new Date().toISOString(), rounds: ROUNDS, ms: MS, load: loadAverage() };
  const path = join(folder, MOVES ? 'product.json' : 'product-reads.json');
  writeFileSync(path, JSON.stringify({ ...head, raw }, null, 1));
}

/** Each part has servers of its own, so that none is measured while another one is idle beside it. */
async function part(wanted, measurePart) {
  if (!wanted) return null;
  const measured = await measurePart();
  await endServers();
  return measured;
}

async function measure() {
  await openDatabase();
  try {
    const counts = (await part(MOVES, measureCounts)) ?? [];
    const moves = (await part(MOVES, measureMoves)) ?? [];
    const reads = await part(READS_TOO, measureReads);
    printGoals({ counts, moves, reads });
    saveRaw([...moves.flatMap(rawMoves), ...(reads === null ? [] : rawReads(reads))]);
  } finally {
    await endServers();
    await closeDatabase();
  }
}

await main(INSTALL ? installPeers : measure);
