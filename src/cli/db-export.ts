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

/** Writes the database of the configuration to a file: `db:export FILE`, FILE.gz compressed, `-` to standard output. */

const USAGE = 'usage: db:export FILE (compressed when it ends in .gz, - for standard output)';

const REMINDER = `The export has password hashes and sealed deals in it: keep it as you keep the database.
It does not have the secrets. Give the new server the SEED_SECRET and the SIGNING_SECRET of the old one (of its
environment, or "seedSecret" and "signingSecret" in its data folder's secrets.json): without the first the deals of
running games cannot be opened, without the second it signs with other keys. TOKEN_SECRET may change.`;

/** Writes the whole database to `path`; a file that is there already is refused, one that fails is removed. */
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

/** Readable by its owner alone. */
const newFile = (path: string): Writable => createWriteStream(path, { flags: 'wx', mode: 0o600 });

async function abandon(path: string, error: NodeJS.ErrnoException): Promise<never> {
  if (error.code === 'EEXIST') {
    throw new DatabaseRefusal(`${path} is there already: choose another name, or remove it first.`);
  }
  await rm(path, { force: true });
  throw error;
}

await runProgram(import.meta.url, USAGE, async (path) => {
  await exportTo(path, parseConfig(process.env));
  console.error(REMINDER);
});
