import { constants, createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Config, parseConfig } from '../config.js';
import { migrate, readMigrations, type Migration } from '../platform/database/migrations.js';
import { openSession } from '../platform/database/open-session.js';
import { migrateServer } from '../platform/database/server.js';
import type { SqlSession } from '../platform/database/session.js';
import { SpaceGate } from '../platform/database/space.js';
import { linesOf } from '../platform/database/transfer/format.js';
import { importInto } from '../platform/database/transfer/import.js';
import { runProgram } from './program.js';

/** Imports an export into the configured database, which must be empty: `db:import FILE`, `-` for standard input. */

const USAGE =
  'usage: db:import FILE (written by db:export, compressed if it ends in .gz; - for standard input)';

/** Imports `path` into the database; returns the number of rows. */
export async function importFrom(
  path: string,
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'minFreeBytes'>,
): Promise<number> {
  const migrations = await readMigrations();
  // Check this before creating a database for it.
  if (path !== '-') await access(path, constants.R_OK);
  const session = await openMigrated(config, migrations);
  try {
    const gate = new SpaceGate(config.dataDir, config.databaseUrl === null ? config.minFreeBytes : 0);
    return await importInto(session, linesOf(bytesOf(path)), {
      migrations,
      assertSpace: () => gate.assertSpace(),
    });
  } finally {
    await session.close();
  }
}

async function openMigrated(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  migrations: readonly Migration[],
): Promise<SqlSession> {
  if (config.databaseUrl !== null) await migrateServer(config.databaseUrl, migrations);
  const session = await openSession(config, 'import');
  if (config.databaseUrl === null) await migrate(session, migrations);
  return session;
}

function bytesOf(path: string): AsyncIterable<Buffer> {
  if (path === '-') return process.stdin;
  const file = createReadStream(path);
  // The reader gets the error; the callback is only there because it is required.
  return path.endsWith('.gz') ? pipeline(file, createGunzip(), () => undefined) : file;
}

await runProgram(import.meta.url, USAGE, async (path) => {
  console.error(`${await importFrom(path, parseConfig(process.env))} rows imported.`);
});
