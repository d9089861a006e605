import {
  ALONE as ALONE_TOO,
  BATCH,
  BOARDGAME,
  DO_NOTHING,
  startCandidates,
  TYPENAME,
} from './candidates.mjs';
import { cpuOf, cpuOfPostgres, loadAverage } from './cpu.mjs';
import { walBytes } from './database.mjs';
import { PLIES } from './line.mjs';
import { ALONE, CLIENTS, MS, ROUNDS } from './settings.mjs';
import { ratio, speedOf, spread } from './statistics.mjs';
import { inTurns } from './rotation.mjs';

/** A durable move: each client plays the line in its own games, one request at a time. */

const WARM_UPS = 2;
/** Create games for one and a half times the most moves that a client has played so far. */
const SPARE = 1.5;
/** Estimated moves per second before the first round: of a single client, and of all clients together. */
const GUESS_ALONE = 400;
const GUESS_TOGETHER = 1500;

function gamesFor({ mostMoves }, clients) {
  const guess = (MS / 1000) * Math.min(GUESS_ALONE, GUESS_TOGETHER / clients);
  return Math.ceil(((mostMoves.get(clients) ?? guess) * SPARE) / PLIES) + 1;
}

/** Plays until the time is over; returns the duration of each move. Creating a new game is not measured. */
async function play(match, start) {
  const latencies = [];
  let ply = 0;
  for (let now = start; now < start + MS;) {
    if (ply === PLIES) {
      await match.fresh();
      [ply, now] = [0, performance.now()];
    }
    await match.act(ply++);
    const done = performance.now();
    latencies.push(done - now);
    now = done;
  }
  return latencies;
}

const cpuNow = ({ pid }) => ({ server: cpuOf(pid), postgres: cpuOfPostgres() });

/** The difference between two readings, per move. */
function costsOf(before, after, moves) {
  const server = after.cpu.server - before.cpu.server;
  const postgres = after.cpu.postgres - before.cpu.postgres;
  return {
    serverCpu: server / moves,
    allCpu: (server + postgres) / moves,
    wal: (after.wal - before.wal) / moves,
  };
}

async function sample(candidate, clients) {
  const { server, match, mostMoves } = candidate;
  const matches = Array.from({ length: clients }, (_, client) => match(server, client));
  const games = gamesFor(candidate, clients);
  await Promise.all(matches.map(({ prepare }) => prepare(games)));
  await Promise.all(matches.map(({ fresh }) => fresh()));
  const before = { wal: await walBytes(), cpu: cpuNow(server) };
  const start = performance.now();
  const played = await Promise.all(matches.map((one) => play(one, start)));
  const elapsed = performance.now() - start;
  const after = { cpu: cpuNow(server), wal: await walBytes() };
  for (const { close } of matches) close();
  const most = Math.max(...played.map(({ length }) => length), mostMoves.get(clients) ?? 0);
  mostMoves.set(clients, most);
  const latencies = played.flat();
  return { ...speedOf(latencies, elapsed), ...costsOf(before, after, latencies.length) };
}

/** The columns, in the order of the raw samples. */
const COLUMNS = {
  rate: 'moves/s',
  p50: 'p50 ms',
  p99: 'p99 ms',
  serverCpu: 'server CPU ms/move',
  allCpu: 'with PostgreSQL',
  wal: 'WAL bytes/move',
};
const REFERENCES = {
  'x boardgame.io': BOARDGAME,
  'x do-nothing': DO_NOTHING,
  'x batch prototype': BATCH,
  'x {__typename}': TYPENAME,
};

const row = (cells) => `| ${cells.join(' | ')} |`;

function print(title, load, samples) {
  const heads = ['candidate', ...Object.values(COLUMNS), ...Object.keys(REFERENCES)];
  const ratesOf = (wanted) =>
    [...samples].find(([{ name }]) => wanted.test(name))?.[1].map(({ rate }) => rate);
  const references = Object.values(REFERENCES).map(ratesOf);
  console.log(
    `\n### ${title}\n\n${ROUNDS} rounds of ${MS} ms, in turns and rotating order; medians (min..max); load average ${load} before, ${loadAverage()} after\n`,
  );
  console.log(row(heads));
  console.log(row(heads.map(() => '---')));
  for (const [{ name }, rounds] of samples) {
    const figures = Object.keys(COLUMNS).map((column) => spread(rounds.map((round) => round[column])));
    const rates = rounds.map(({ rate }) => rate);
    console.log(row([name, ...figures, ...references.map((reference) => ratio(rates, reference))]));
  }
}

/** Measures one table; returns the raw samples. */
async function table(title, candidates, clients) {
  const load = loadAverage();
  await inTurns(candidates, WARM_UPS, (candidate) => sample(candidate, clients));
  const samples = await inTurns(candidates, ROUNDS, (candidate) => sample(candidate, clients));
  print(title, load, samples);
  return [...samples].map(([{ name }, rounds]) => ({
    title,
    m: clients,
    name,
    columns: Object.values(COLUMNS),
    samples: rounds.map((round) => Object.keys(COLUMNS).map((column) => round[column])),
  }));
}

/** The tables of moves; returns the raw samples. */
export async function measureMoves() {
  const candidates = await startCandidates(Math.max(...CLIENTS));
  const raw = [];
  if (candidates.length === 0) return raw;
  for (const clients of CLIENTS) {
    raw.push(...(await table(`A durable move, ${clients} clients`, candidates, clients)));
  }
  const alone = candidates.filter(({ name }) => ALONE_TOO.test(name));
  if (ALONE && alone.length > 0) raw.push(...(await table('One client alone', alone, 1)));
  const late = new Set(candidates.map(({ server }) => server));
  const missing = [...late].reduce((sum, server) => sum + (server.late ?? 0), 0);
  if (missing > 0)
    console.log(`\n${missing} games were created during the measurement, so the figures are too low.`);
  return raw;
}
