import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../scripts/support.mjs';
import { loadAverage } from './whole-path/cpu.mjs';
import { closeDatabase, openDatabase } from './whole-path/database.mjs';
import { measureMoves } from './whole-path/moves.mjs';
import { installPeers } from './whole-path/peers.mjs';
import { measureReads } from './whole-path/reads.mjs';
import { endServers } from './whole-path/servers.mjs';
import { FOLDER, INSTALL, MS, READS_ONLY, ROUNDS } from './whole-path/settings.mjs';

/**
 * The whole path of a durable move: client, HTTP, GraphQL, authentication, rules, database, answer. The product, on
 * PostgreSQL and on the embedded database, runs beside boardgame.io and small prototypes, in turns and in rotating
 * order, and all play the same line of chess: 80 plies that do not end the game, then a new game, which is made
 * outside of the measured time. What the product is asked stands in bench/operations.mjs.
 *
 *   npm run bench:whole-path -- --install        installs the peers; without them the product is measured alone
 *   npm run bench:whole-path [-- ROUNDS MS]      by default 5 rounds of 3000 ms: about 7 minutes with the peers
 *   READS=1 npm run bench:whole-path             the read paths of the product, as multiples of /livez
 *
 * It needs Linux (CPU times come from /proc) and a PostgreSQL server. The databases halfmove_whole_path,
 * halfmove_whole_path_boardgame and halfmove_whole_path_prototypes are dropped and made again at each start, and stay
 * after the run, to be looked at: one run at a time.
 *
 *   M=8,32              numbers of clients, a table for each (32); the reads use the first
 *   M1=0                leaves out the table of a single client
 *   ONLY=REGEX          the candidates (or reads) whose names match
 *   KINDS=A,B           other prototypes; whole-path/peers/prototypes/server.ts lists what there is
 *   GAMES=N             games of each client that the reads are asked of (10)
 *   HALFMOVE=FOLDER     another built checkout in place of this one, with the operations that it brings itself
 *   PRODUCT_ENV='A=1'   further settings of the product
 *   PRODUCT_ARGS=ARGS   arguments for its Node: --cpu-prof --cpu-prof-dir=FOLDER writes a profile
 *   PG_URL=URL          the PostgreSQL server, as postgresql://user:password@host:port
 *   PERF=FOLDER         where peers are installed and raw samples are written, as out/product.json (.cache/whole-path)
 *
 * How to read it: each figure is the median of the rounds with the least and the greatest; ratios are medians of the
 * ratios of each round. Clients, servers and database share one machine, so only ratios within one run mean anything;
 * the load average beside each table says what else the machine did. "Server CPU" is that of the server's process,
 * with the embedded database in it; "with PostgreSQL" adds all PostgreSQL processes of the machine. Bytes of
 * write-ahead log (WAL) are exact if nobody else writes to the PostgreSQL server.
 */

function saveRaw(raw) {
  const folder = join(FOLDER, 'out');
  mkdirSync(folder, { recursive: true });
  const head = { at: new Date().toISOString(), rounds: ROUNDS, ms: MS, load: loadAverage() };
  const path = join(folder, READS_ONLY ? 'product-reads.json' : 'product.json');
  writeFileSync(path, JSON.stringify({ ...head, raw }, null, 1));
}

async function measure() {
  await openDatabase();
  try {
    saveRaw(await (READS_ONLY ? measureReads() : measureMoves()));
  } finally {
    await endServers();
    await closeDatabase();
  }
}

await main(INSTALL ? installPeers : measure);
