import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { PassThrough, Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { parseConfig } from '../config.js';
import { readMigrations } from '../platform/database/migrations.js';
import { assertExists, openSession, type Place } from '../platform/database/open-session.js';
import { DatabaseRefusal } from '../platform/database/refusal.js';
import { exported } from '../platform/database/transfer/export.js';
import { runProgram } from './program.js';

/** Exports the configured database to a file: `db:export FILE`, compressed for FILE.gz, to standard output for `-`. */

const USAGE = 'usage: db:export FILE (compressed if it ends in .gz; - for standard output)';

const REMINDER = `The export contains password hashes and sealed deals: protect it like the database.
It does not contain the secrets. Give the new server the SEED_SECRET and the SIGNING_SECRET of the old one (from its
environment, or "seedSecret" and "signingSecret" in secrets.json in its data folder). Without SEED_SECRET it cannot open
the deals of running games; without SIGNING_SECRET it signs with other keys. TOKEN_SECRET may change.`;

/** Writes the whole database to `path`. Refuses to overwrite a file, and removes an incomplete one. */
export async function exportTo(path: string, place: Place): Promise<void> {
  assertExists(place);
  const session = await openSession(place, 'export');
  try {
    const text = Readable.from(exported(session, await readMigrations()));
    const packed = path.endsWith('.gz') ? createGzip() : new PassThrough();
    if (path === '-') await pipeline(text, process.stdout);
    else await pipeline(text, packed, newFile(path)).catch((error: Error) => abandon(path, error));
  } finally {
    await session.close();
  }
}

/** Readable only by its owner. */
const newFile = (path: string): Writable => createWriteStream(path, { flags: 'wx', mode: 0o600 });

async function abandon(path: string, error: NodeJS.ErrnoException): Promise<never> {
  if (error.code === 'EEXIST') {
    throw new DatabaseRefusal(`${path} already exists. Choose another name, or remove it first.`);
  }
  await rm(path, { force: true });
  throw error;
}

await runProgram(import.meta.url, USAGE, async (path) => {
  await exportTo(path, parseConfig(process.env));
  console.error(REMINDER);
});
