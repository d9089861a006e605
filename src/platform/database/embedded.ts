import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { assertNotGone, Checkpoints } from './checkpoints.js';
import { EmbeddedPostgres, PGLITE } from './embedded-postgres.js';
import { lockFolder } from './lock.js';
import { DatabaseRefusal } from './refusal.js';
import { freeSpace } from './space.js';
import { endProcess } from './watchdog.js';

/** A new database takes about 40 MB; recovery after a crash writes a few segments of 16 MB. */
const BYTES_TO_OPEN = 64 * 1024 * 1024;

/** How the names of folders begin in which a database is being created. */
const UNFINISHED = 'db.new-';

export interface Embedded {
  readonly database: EmbeddedPostgres;
  /** Flushes all committed data to the disk. */
  checkpoint(): Promise<void>;
  /** Closes the database, then releases the folder. */
  close(): Promise<void>;
}

/** Opens the database in `<dataDir>/db` for this process, creating it if missing. Throws a DatabaseRefusal. */
export async function openEmbedded(dataDir: string, watchdogSeconds = 60): Promise<Embedded> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(dataDir);
  try {
    await assertNotGone(dataDir);
    const database = await openFolder(dataDir, watchdogSeconds);
    const checkpoints = new Checkpoints(database, dataDir);
    const close = () =>
      database
        .close()
        .then(() => checkpoints.sync())
        .finally(() => lock.release());
    try {
      await checkpoints.assertNothingLost();
    } catch (error) {
      await database.close();
      throw error;
    }
    return { database, checkpoint: () => checkpoints.take(), close };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openFolder(dataDir: string, watchdogSeconds: number): Promise<EmbeddedPostgres> {
  const folder = join(dataDir, 'db');
  await assertRoom(dataDir);
  if (!existsSync(folder)) await initialise(dataDir, folder, watchdogSeconds);
  // Otherwise the embedded database would replace what is there with a new, empty one.
  if (!existsSync(join(folder, 'PG_VERSION'))) throw unreadable(folder, 'PG_VERSION is missing');
  return EmbeddedPostgres.open(folder, watchdogSeconds, endProcess).catch((error: unknown) => {
    throw unreadable(folder, error);
  });
}

/** A process killed while creating the database leaves `db.new-...` behind, never an incomplete `db`. */
async function initialise(dataDir: string, folder: string, watchdogSeconds: number): Promise<void> {
  const left = (await readdir(dataDir)).filter((name) => name.startsWith(UNFINISHED));
  // With retries, because what such a process has begun may still be writing.
  for (const name of left) await rm(join(dataDir, name), { recursive: true, maxRetries: 5 });
  // Only the user may enter it: the files in it are created readable and writable for everybody.
  const unfinished = await mkdtemp(join(dataDir, UNFINISHED));
  await createIn(unfinished, watchdogSeconds);
  await rename(unfinished, folder);
}

/** In a process of its own: creating takes 400 MB, of which the server would keep 100. */
async function createIn(folder: string, watchdogSeconds: number): Promise<void> {
  const program = `require(${JSON.stringify(PGLITE)}).PGlite.create(process.argv[1]).then((database) => database.close())`;
  const options = { timeout: watchdogSeconds * 1000, killSignal: 'SIGKILL' } as const;
  await promisify(execFile)(process.execPath, ['-e', program, folder], options);
}

async function assertRoom(dataDir: string): Promise<void> {
  const free = await freeSpace(dataDir);
  if (free >= BYTES_TO_OPEN) return;
  throw new DatabaseRefusal(
    `The disk of the data folder ${dataDir} is full (${Math.floor(free / 1024 / 1024)} MB left): ` +
      `the database needs ${BYTES_TO_OPEN / 1024 / 1024} MB to open. Free some space and start again.`,
  );
}

const unreadable = (folder: string, cause: unknown) =>
  new DatabaseRefusal(
    `The database in ${folder} cannot be opened (${cause instanceof Error ? cause.message : String(cause)}): ` +
      'it is damaged, or was made by another version of the embedded database. Open it with the version of the ' +
      'program that last used it, or restore a backup; `npm run db:export` and `npm run db:import` carry it over.',
    { cause },
  );
