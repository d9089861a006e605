import { UserError, main } from '../scripts/support.mjs';
import { cpuOf } from './whole-path/cpu.mjs';
import { closeDatabase, openDatabase } from './whole-path/database.mjs';
import { playingMatch, registerClients, startOnPostgres, typenameMatch } from './whole-path/product.mjs';
import { playMoves } from './whole-path/sample.mjs';
import { endServers } from './whole-path/servers.mjs';
import { median, spread } from './whole-path/statistics.mjs';

/**
 * Fails if a move costs the server much more CPU time than it should: as a multiple of what {__typename} costs the
 * same server, which does the same to a request but nothing for it. The time is that of the process, not of the
 * clock, so that other work on the machine changes little; both are measured in turns.
 *
 *   npm run bench -- move-cost [LIMIT]
 *
 * Uses PG_URL as whole-path.mjs does, and Linux' /proc.
 */

/**
 * Well above what was measured, also next to other work: this is to find a move that costs twice as much, and
 * nothing smaller. Lower it when moves become cheaper.
 */
const LIMIT = Number(process.argv[2] ?? 12);
const ROUNDS = 5;
const CLIENTS = 16;
const WARM_UP = { moves: 40, idle: 120 };
const EACH = { moves: 20, idle: 60 };

async function cpuPerRequest(candidate, requests) {
  let used;
  await playMoves(candidate, CLIENTS, requests, async (work) => {
    const before = cpuOf(candidate.server.pid);
    await work();
    used = cpuOf(candidate.server.pid) - before;
  });
  return used / (CLIENTS * requests);
}

async function measure() {
  const server = await startOnPostgres();
  await registerClients(server, CLIENTS);
  const move = { server, match: playingMatch };
  const idle = { server, match: typenameMatch };
  const inTurn = async (requests) => ({
    move: await cpuPerRequest(move, requests.moves),
    idle: await cpuPerRequest(idle, requests.idle),
  });
  await inTurn(WARM_UP);
  const rounds = [];
  while (rounds.length < ROUNDS) rounds.push(await inTurn(EACH));
  return rounds;
}

await main(async () => {
  await openDatabase();
  try {
    const rounds = await measure();
    const of = (name) => rounds.map((round) => round[name]);
    const multiples = rounds.map((round) => round.move / round.idle);
    console.log(
      `CPU of the server: ${spread(of('move'))} ms a move, ${spread(of('idle'))} ms for {__typename}; ratio ${spread(multiples)}, limit ${LIMIT}.`,
    );
    if (median(multiples) > LIMIT)
      throw new UserError('A move costs too much CPU time; see docs/performance.md.');
  } finally {
    await endServers();
    await closeDatabase();
  }
});
