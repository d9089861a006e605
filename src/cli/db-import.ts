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

/** Fills the empty database of the configuration from an export: `db:import FILE`, `-` for standard input. */

const USAGE =
  'usage: db:import FILE (what db:export wrote, compressed when it ends in .gz, - for standard input)';

/** Carries the export in `path` into the database; resolves to the number of rows. */
export async function importFrom(
  path: string,
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'minFreeBytes'>,
): Promise<number> {
  const migrations = await readMigrations();
  // Before a target is made for a file that cannot be read.
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
  // Whoever reads hears of a failure; the callback has nothing to add.
  return path.endsWith('.gz') ? pipeline(file, createGunzip(), () => undefined) : file;
}

await runProgram(import.meta.url, USAGE, async (path) => {
  console.error(`${await importFrom(path, parseConfig(process.env))} rows imported.`);
});
