import { Worker } from 'node:worker_threads';
import { progress } from './progress.mjs';

/** Worker threads that make the games in chunks. */

const PROGRAM = new URL('./worker.mjs', import.meta.url);

async function missingChunks({ client, plan }) {
  const { rows } = await client.query('SELECT chunk, games, plies FROM bench.chunks');
  const done = new Set(rows.map(({ chunk }) => chunk));
  const all = Array.from({ length: Math.ceil(plan.games / plan.chunkSize) }, (_, chunk) => chunk);
  const sum = (name) => rows.reduce((total, row) => total + row[name], 0);
  return { missing: all.filter((chunk) => !done.has(chunk)), games: sum('games'), plies: sum('plies') };
}

/** Runs one thread until no chunk is left. */
const employ = (workerData, missing, told) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(PROGRAM, { workerData });
    worker.on('message', (made) => {
      if (made !== null) told(made);
      worker.postMessage(missing.shift() ?? null);
    });
    worker.on('error', reject);
    worker.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`A worker thread exited with code ${code}`)),
    );
  });

/** Makes all games that do not exist yet. */
export async function makeGames(place, { threads, seedSecret }) {
  const { databaseUrl, plan } = place;
  const { missing, games, plies } = await missingChunks(place);
  const shown = progress(plan.games, { games, plies });
  const workerData = { databaseUrl, plan, seedSecret };
  const count = Math.min(threads, missing.length);
  await Promise.all(Array.from({ length: count }, () => employ(workerData, missing, shown.made)));
  shown.end();
}
