import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { seedGame } from './play-game.mjs';
import { pairDrawer } from './users.mjs';
import { sealer } from './secrets.mjs';
import { batch } from './tables.mjs';

/**
 * A worker thread. Each chunk of games is stored together with its mark in one transaction, so it is complete
 * or missing.
 */

const { databaseUrl, plan, seedSecret } = workerData;

const client = new pg.Client({ connectionString: databaseUrl, application_name: 'halfmove seed' });
const drawPair = pairDrawer(plan);
const seal = sealer(seedSecret);

async function makeChunk(chunk) {
  const rows = batch();
  const end = Math.min(plan.games, (chunk + 1) * plan.chunkSize);
  let plies = 0;
  for (let number = chunk * plan.chunkSize; number < end; number++) {
    plies += await seedGame({ plan, drawPair, seal }, number, rows.add);
  }
  return { rows, games: end - chunk * plan.chunkSize, plies };
}

/** Writes a chunk unless another run has already written it. */
async function store(chunk, { rows, games, plies }) {
  await client.query('BEGIN');
  const mark = 'INSERT INTO bench.chunks (chunk, games, plies) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';
  const { rowCount } = await client.query(mark, [chunk, games, plies]);
  if (rowCount === 1) await rows.write(client);
  await client.query('COMMIT');
}

await client.connect();
await client.query("SET TIME ZONE 'UTC'; SET synchronous_commit = off");
parentPort.on('message', async (chunk) => {
  if (chunk === null) {
    await client.end();
    parentPort.close();
    return;
  }
  const made = await makeChunk(chunk);
  await store(chunk, made);
  parentPort.postMessage({ games: made.games, plies: made.plies });
});
parentPort.postMessage(null);
