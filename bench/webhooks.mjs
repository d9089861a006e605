import { createServer } from 'node:http';
import { createServer as createListener } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Connection, graphql } from './whole-path/connection.mjs';
import { cpuOf, loadAverage } from './whole-path/cpu.mjs';
import { closeDatabase, openDatabase } from './whole-path/database.mjs';
import { PLIES, UCI } from './whole-path/line.mjs';
import {
  operations,
  playersOf,
  playingMatch,
  registerClients,
  startOnPostgres,
} from './whole-path/product.mjs';
import { endServers } from './whole-path/servers.mjs';
import { row, spread } from './whole-path/statistics.mjs';
import { openWire } from './whole-path/wire.mjs';
import { main } from '../scripts/support.mjs';

/**
 * Measures what webhooks cost and how soon they send: the statements and the processor time of moves without webhooks and
 * with 1,000 of other players, in turns; then, while 10,000 addresses take connections and never answer, how long after
 * the answer to a move its message is with an address that does.
 *
 *   npm run bench -- webhooks [ROUNDS HANGING]   default 5 rounds, 10000 addresses
 *
 * It starts a server of its own on the PostgreSQL of PG_URL.
 */

const [ROUNDS = 5, HANGING = 10_000] = process.argv.slice(2).map(Number);
const SUBSCRIBED = 1000;
/** Of one person. */
const MOST = 1000;
const GAMES_OF_A_ROUND = 8;
const ANSWERED_MOVES = 60;
const SETTLED_MS = 1500;
const OPEN = '127.0.0.2';
const MOVE_MS = 250;

const listen = (server) =>
  new Promise((resolve) => server.listen(0, OPEN, () => resolve(`http://${OPEN}:${server.address().port}/`)));

async function register(connection, token, url) {
  const query = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }';
  const variables = { input: { url, types: ['game.move'] } };
  return (await graphql(connection, token, query, variables)).createWebhook.webhook.id;
}

/** So many webhooks of these accounts. */
async function registerMany(connections, accounts, many, url) {
  let next = 0;
  await Promise.all(
    connections.map(async (connection) => {
      while (next < many) await register(connection, accounts[Math.floor(next++ / MOST)].token, url);
    }),
  );
}

/** Statements and CPU time of moves in fresh games of the first client. */
async function moves(server, wire) {
  const match = playingMatch(server, 0);
  await match.prepare(GAMES_OF_A_ROUND);
  await pause(SETTLED_MS);
  wire.reset();
  const cpu = cpuOf(server.pid);
  for (let game = 0; game < GAMES_OF_A_ROUND; game++) {
    await match.fresh();
    for (let ply = 0; ply < PLIES; ply++) await match.act(ply);
  }
  const ms = cpuOf(server.pid) - cpu;
  const of = (text) =>
    [...wire.statements].filter(([sql]) => text.test(sql)).reduce((sum, [, count]) => sum + count, 0);
  const result = {
    ms: ms / GAMES_OF_A_ROUND / PLIES,
    statements: of(/INSERT INTO plies/) / GAMES_OF_A_ROUND / PLIES,
    walks: of(/log_readers/) / GAMES_OF_A_ROUND / PLIES,
  };
  match.close();
  return result;
}

async function cost(server, wire, connections, url) {
  const without = [];
  const with1000 = [];
  const [owner] = playersOf(server, 1);
  await moves(server, wire);
  for (let round = 0; round < ROUNDS; round++) {
    without.push(await moves(server, wire));
    await registerMany(connections, [owner], SUBSCRIBED, url);
    with1000.push(await moves(server, wire));
    await removeAll(connections[0], owner.token);
  }
  console.log(row(['', 'CPU of a move, ms', 'commits of a move', 'looks for webhooks, a move']));
  const measured = { 'without webhooks': without, [`with ${SUBSCRIBED}`]: with1000 };
  for (const [name, rounds] of Object.entries(measured)) {
    const shown = ['ms', 'statements', 'walks'].map((key) => spread(rounds.map((each) => each[key])));
    console.log(row([name, ...shown]));
  }
  console.log(row(['ratio', spread(with1000.map(({ ms }, i) => ms / without[i].ms))]));
}

async function removeAll(connection, token) {
  for (;;) {
    const { myWebhooks } = await graphql(connection, token, '{ myWebhooks { id } }', {});
    if (myWebhooks.length === 0) return;
    for (const { id } of myWebhooks) {
      const query = 'mutation ($input: DeleteWebhookInput!) { deleteWebhook(input: $input) { deletedId } }';
      await graphql(connection, token, query, { input: { id } });
    }
  }
}

async function among(server, connections) {
  const silent = createListener((socket) => socket.on('error', () => undefined).resume());
  let held = 0;
  silent.on('connection', () => held++);
  const heard = new Map();
  const good = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      response.end();
      const { data } = JSON.parse(Buffer.concat(parts).toString());
      heard.set(data.version, performance.now());
    });
  });
  const [silentUrl, goodUrl] = [await listen(silent), await listen(good)];
  const owners = Math.ceil(HANGING / MOST);
  await registerClients(server, 2 + owners);
  const accounts = Array.from({ length: owners }, (_, i) => playersOf(server, 2 + i)[0]);
  await registerMany(connections, accounts, HANGING, silentUrl);
  // All of them become due.
  for (let i = 0; i < owners; i++) {
    const match = playingMatch(server, 2 + i);
    await match.fresh();
    await match.act(0);
    match.close();
  }
  await pause(10_000);
  const [ann, ben] = playersOf(server, 0);
  await register(connections[0], ann.token, goodUrl);
  const match = playingMatch(server, 0);
  const waits = [];
  let id = await match.fresh();
  for (let number = 0; number < ANSWERED_MOVES; number++) {
    const ply = number % PLIES;
    if (number > 0 && ply === 0) {
      id = await match.fresh();
      heard.clear();
    }
    const { query, variables } = operations.move;
    await graphql(connections[0], [ann, ben][ply % 2].token, query, variables(id, ply + 1, UCI[ply]));
    const answered = performance.now();
    // Version 1 is the start.
    while (!heard.has(ply + 2) && performance.now() - answered < 60_000) await pause(5);
    waits.push((heard.get(ply + 2) ?? Infinity) - answered);
    await pause(MOVE_MS * (0.5 + Math.random()));
  }
  match.close();
  const sorted = [...waits].sort((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))].toFixed(0);
  console.log(
    `\n${HANGING} addresses that hang (${held} connections so far), ${waits.length} moves; from the answer to the message, ms: ` +
      `first ${waits[0].toFixed(0)}, median ${at(0.5)}, p95 ${at(0.95)}, max ${at(1)}`,
  );
  silent.close();
  good.close();
}

await main(async () => {
  await openDatabase();
  let wire;
  const behind = async (url) => (wire ??= await openWire(url)).url;
  const env = { OUTGOING_NETWORKS: `${OPEN}/32`, MAX_WEBHOOKS: String(MOST) };
  const server = await startOnPostgres(behind, { env });
  await registerClients(server, 2);
  const connections = Array.from({ length: 8 }, () => new Connection(server.port));
  const taker = createServer((request, response) => request.resume().on('end', () => response.end()));
  const url = await listen(taker);
  if (ROUNDS > 0) await cost(server, wire, connections, url);
  await among(server, connections);
  console.log(`\nLoad: ${loadAverage()}`);
  for (const connection of connections) connection.close();
  taker.close();
  await endServers();
  await closeDatabase();
});
