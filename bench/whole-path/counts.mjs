import { setTimeout as pause } from 'node:timers/promises';
import { BATCH, ON_POSTGRES } from './candidates.mjs';
import { arePeersInstalled } from './peers.mjs';
import { playingMatch, registerClients, startOnPostgres } from './product.mjs';
import { prototypeMatch, startPrototype } from './prototypes.mjs';
import { endServers } from './servers.mjs';
import { playMoves } from './sample.mjs';
import { CLIENTS, PROTOTYPES, WANTED } from './settings.mjs';
import { row } from './statistics.mjs';
import { openWal } from './wal.mjs';
import { openWire } from './wire.mjs';

/**
 * What a move asks of PostgreSQL, counted: statements from the protocol, rows and WAL from the log. The servers
 * are started again behind a counting proxy, so that it slows down nothing that is timed. Statements that the
 * server sends without moves are subtracted.
 */

/** Whole lines of 80 plies, so that all counts are means over the same plies. */
const MOVES_EACH = 80;
const IDLE_MS = 3000;
/** Left out of the details: what less than one move in twenty does. */
const SHOWN_SHARE = 0.05;
const SHOWN_TEXT = 100;

const total = (statements) => [...statements.values()].reduce((sum, one) => sum + one, 0);

/** Statements per second of a server that nobody asks anything. */
async function idleRate(wire) {
  wire.reset();
  const start = performance.now();
  await pause(IDLE_MS);
  return total(wire.statements) / (performance.now() - start);
}

async function countWith(candidate, { wire, wal, idle }, clients) {
  // The first line compiles code; its counts are not used.
  await playMoves(candidate, clients, MOVES_EACH);
  let counts;
  const moves = clients * MOVES_EACH;
  await playMoves(candidate, clients, MOVES_EACH, async (work) => {
    wire.reset();
    await wal.start();
    const start = performance.now();
    await work();
    const elapsed = performance.now() - start;
    const statements = new Map(wire.statements);
    counts = { name: candidate.name, clients, moves, statements, ...(await wal.read()) };
    counts.sent = Math.max(0, total(statements) - idle * elapsed);
  });
  return counts;
}

async function count({ name, start, match, prepare }) {
  let wire;
  const behind = async (url) => {
    wire = await openWire(url);
    return wire.url;
  };
  const server = await start(behind);
  const wal = await openWal(wire.target);
  const candidate = { name, server, match, mostMoves: new Map() };
  const most = Math.max(...CLIENTS);
  await prepare?.(server, most);
  const idle = await idleRate(wire);
  const counted = [];
  for (const clients of [most, 1]) counted.push(await countWith(candidate, { wire, wal, idle }, clients));
  await wal.close();
  await endServers();
  wire.close();
  return counted;
}

const candidates = () => [
  ...PROTOTYPES.filter((kind) => BATCH.test(kind) && arePeersInstalled()).map((kind) => ({
    name: `prototype ${kind}`,
    start: (behind) => startPrototype(kind, behind),
    match: prototypeMatch,
  })),
  {
    name: 'product on PostgreSQL',
    start: startOnPostgres,
    match: playingMatch,
    prepare: registerClients,
  },
];

const HEADS = ['candidate', 'clients', 'statements', 'commits', 'rows inserted', 'rows updated', 'of them HOT', 'rows deleted', 'WAL records', 'WAL bytes', 'page images']; // prettier-ignore

const digits = (number) => (number >= 100 ? number.toFixed(0) : number.toFixed(2));

function printStatements({ name, clients, moves, statements }) {
  const shown = [...statements].filter(([, times]) => times / moves >= SHOWN_SHARE);
  console.log(`\nStatements of ${name}, clients: ${clients}, with what it sends by itself:\n`);
  for (const [text, times] of shown.sort((a, b) => b[1] - a[1]))
    console.log(`    ${digits(times / moves)}  ${text.replace(/\s+/g, ' ').trim().slice(0, SHOWN_TEXT)}`);
}

function printKinds({ name, clients, moves, kinds }) {
  console.log(`\nWAL of ${name}, clients: ${clients}; records and bytes of a move\n`);
  for (const { kind, relation, records, bytes, images } of kinds.filter((one) => one.records / moves >= SHOWN_SHARE))
    console.log(`    ${digits(records / moves).padStart(6)}  ${digits((bytes - images) / moves).padStart(6)}  ${kind} ${relation}`); // prettier-ignore
}

function print(counted) {
  console.log(
    '\n### What a move asks of PostgreSQL\n\nMeans of whole games of 80 plies. WAL bytes are those of the records without page images, which depend on the checkpoints.\n',
  );
  console.log(row(HEADS));
  console.log(row(HEADS.map(() => '---')));
  for (const { name, clients, moves, sent, commits, rows, kinds, bytes, images } of counted) {
    const { inserted, updated, hot, deleted } = rows;
    const records = kinds.reduce((sum, one) => sum + one.records, 0);
    const figures = [sent, commits, inserted, updated, hot, deleted, records, bytes, images];
    console.log(row([name, clients, ...figures.map((one) => digits(one / moves))]));
  }
  for (const one of counted.filter(({ name }) => ON_POSTGRES.test(name))) {
    printStatements(one);
    if (one.clients > 1) printKinds(one);
  }
}

/** Counts with the most clients and with one; `of(name, clients)` has a move's statements, rows and WAL bytes. */
export async function measureCounts() {
  const counted = [];
  for (const one of candidates().filter(({ name }) => WANTED.test(name))) counted.push(...(await count(one)));
  if (counted.length > 0) print(counted);
  return counted;
}
