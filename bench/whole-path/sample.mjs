import { cpuOf, cpuOfPostgres } from './cpu.mjs';
import { walBytes } from './database.mjs';
import { PLIES } from './line.mjs';
import { MS, WARM_UP } from './settings.mjs';
import { speedOf } from './statistics.mjs';

/** One sample of a candidate: each client plays the line in its own games, one request at a time. */

/** Create games for one and a half times the most moves that a client has played so far. */
const SPARE = 1.5;

/** The matches of all clients, with enough games for so many moves each. */
async function begin({ server, match }, clients, movesEach) {
  const matches = Array.from({ length: clients }, (_, client) => match(server, client));
  const games = Math.ceil((movesEach * SPARE) / PLIES) + 1;
  await Promise.all(matches.map(({ prepare }) => prepare(games)));
  await Promise.all(matches.map(({ fresh }) => fresh()));
  return matches;
}

/** Plays while `goesOn(moves, now)`; returns the duration of each move. Creating a new game is not measured. */
async function play(match, start, goesOn) {
  const latencies = [];
  let ply = 0;
  for (let now = start; goesOn(latencies.length, now);) {
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

/** Plays so many moves each, for programs that count what moves cost. */
export async function playMoves(candidate, clients, movesEach, meanwhile = async (work) => work()) {
  const matches = await begin(candidate, clients, movesEach);
  const start = performance.now();
  const work = () => Promise.all(matches.map((one) => play(one, start, (moves) => moves < movesEach)));
  const result = await meanwhile(work);
  for (const { close } of matches) close();
  return result;
}

/** As many requests to each candidate before it is measured, because compiled code is slow at first. */
export async function warmUp(candidate, clients) {
  const start = performance.now();
  const movesEach = Math.ceil(WARM_UP / clients);
  await playMoves(candidate, clients, movesEach);
  const movesOfSample = (movesEach / (performance.now() - start)) * MS;
  candidate.mostMoves.set(clients, Math.max(movesOfSample, candidate.mostMoves.get(clients) ?? 0));
}

const cpuNow = ({ pid }) => ({ server: cpuOf(pid), postgres: cpuOfPostgres() });

/** The difference between two readings, per move. */
function costsOf(before, after, moves) {
  const server = after.cpu.server - before.cpu.server;
  const postgres = after.cpu.postgres - before.cpu.postgres;
  return {
    serverCpu: server / moves,
    allCpu: ((server || 0) + postgres) / moves,
    wal: (after.wal - before.wal) / moves,
  };
}

export async function sample(candidate, clients) {
  const { server, mostMoves } = candidate;
  const matches = await begin(candidate, clients, mostMoves.get(clients));
  const before = { wal: await walBytes(), cpu: cpuNow(server) };
  const start = performance.now();
  const played = await Promise.all(matches.map((one) => play(one, start, (_, now) => now < start + MS)));
  const elapsed = performance.now() - start;
  const after = { cpu: cpuNow(server), wal: await walBytes() };
  for (const { close } of matches) close();
  mostMoves.set(clients, Math.max(...played.map(({ length }) => length), mostMoves.get(clients)));
  const latencies = played.flat();
  return { ...speedOf(latencies, elapsed), ...costsOf(before, after, latencies.length) };
}
