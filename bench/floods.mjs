import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { main } from '../scripts/support.mjs';
import { Connection } from './whole-path/connection.mjs';
import { closeDatabase, openDatabase } from './whole-path/database.mjs';
import { PLIES } from './whole-path/line.mjs';
import { playingMatch, registerClients, startEmbedded, startOnPostgres } from './whole-path/product.mjs';
import { endServers } from './whole-path/servers.mjs';
import { CHECKOUT } from './whole-path/settings.mjs';
import { row, spread } from './whole-path/statistics.mjs';

/**
 * Measures what moves and reads of some clients take while one other address sends all that it can, as multiples of
 * what they take before.
 *
 *   npm run bench -- floods [ROUNDS MS]   default 3 rounds of 4000 ms
 *
 *   FLOODS=names of attacker.mjs, separated by commas; EMBEDDED=1 for the embedded database
 *   HALFMOVE, PRODUCT_ENV, PG_URL: see whole-path.mjs
 */

const ROUNDS = Number(process.argv[2] ?? 3);
const MS = Number(process.argv[3] ?? 4000);
const CLIENTS = 4;
/** People do not move as fast as they can. */
const PAUSE_MS = 10;
const WARM_UP_MS = 3000;
const OTHER_ADDRESS = '127.0.0.2';
const ATTACKER = fileURLToPath(new URL('floods/attacker.mjs', import.meta.url));
const FLOODS = (
  process.env.FLOODS ??
  'nothing,introspection,unusual introspection,refused documents,pages of games,costly queries,unread answers,refused subscriptions'
).split(',');

const p99 = (times) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)];

/** A client that moves and reads its game in turns, from another address than the attacker. */
async function victim(server, client) {
  const connection = new Connection(server.port, OTHER_ADDRESS);
  const match = playingMatch(server, client, connection);
  await match.prepare(1);
  return { match, connection, ply: PLIES, gameId: '' };
}

async function timed(times, work) {
  const start = performance.now();
  await work();
  times.push(performance.now() - start);
}

async function act(player, times, until) {
  while (performance.now() < until) {
    if (player.ply >= PLIES) {
      player.gameId = await player.match.fresh();
      player.ply = 0;
    }
    await timed(times.moves, () => player.match.act(player.ply++));
    await timed(times.reads, () => player.connection.ask('GET', `/v1/games/${player.gameId}`));
    await pause(PAUSE_MS);
  }
}

async function measure(players, ms) {
  const times = { moves: [], reads: [] };
  const until = performance.now() + ms;
  await Promise.all(players.map((player) => act(player, times, until)));
  return { moves: p99(times.moves), reads: p99(times.reads), count: times.moves.length };
}

function attack(port, flood) {
  const child = spawn(process.execPath, [ATTACKER, String(port), flood], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let answers = 0;
  child.stdout.on('data', (text) => (answers = Number(String(text).trim().split('\n').at(-1))));
  return { answers: () => answers, end: () => child.kill('SIGKILL') };
}

async function run() {
  const server = await (process.env.EMBEDDED ? startEmbedded() : startOnPostgres());
  await registerClients(server, CLIENTS);
  const players = await Promise.all(Array.from({ length: CLIENTS }, (_, client) => victim(server, client)));
  for (const player of players) await player.match.prepare(60);
  await measure(players, WARM_UP_MS);
  console.log(`${CHECKOUT}\n`);
  console.log(
    row([
      'flood',
      'p99 of moves, ms before',
      'during / before',
      'p99 of reads, ms before',
      'during / before',
      'answers to the attacker',
    ]),
  );
  console.log(row(['---', '---:', '---:', '---:', '---:', '---:']));
  for (const flood of FLOODS) {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await measure(players, MS);
      const attacker = attack(server.port, flood);
      await pause(1000);
      const during = await measure(players, MS);
      rounds.push({ before, during, answers: attacker.answers() });
      attacker.end();
      await pause(500);
    }
    const of = (pick) => spread(rounds.map(pick));
    console.log(
      row([
        flood,
        of(({ before }) => before.moves),
        of(({ before, during }) => during.moves / before.moves),
        of(({ before }) => before.reads),
        of(({ before, during }) => during.reads / before.reads),
        of(({ answers }) => answers),
      ]),
    );
  }
  for (const { match } of players) match.close();
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
