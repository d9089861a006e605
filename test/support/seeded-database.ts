import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Place, serverPlace } from './databases.js';

/** A history made by bench/seed.mjs on a PostgreSQL server. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const SEEDED_PASSWORD = 'half a move at a time';

/** A database with this many games, filled by the built program. */
export async function seededPlace(games: number): Promise<Place> {
  const place = await serverPlace();
  const args = ['bench/seed.mjs', place.databaseUrl!, '--games', String(games), '--seed', '1'];
  const env = { PATH: process.env['PATH'], DATA_DIR: place.dataDir };
  await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  return place;
}
