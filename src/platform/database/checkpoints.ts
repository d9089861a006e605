import { existsSync } from 'node:fs';
import { open, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedPostgres } from './embedded-postgres.js';
import { DatabaseRefusal } from './refusal.js';

/** A file beside the database that records how much of it is known to be on the disk. */
const MARKER = 'db.checkpoint.json';

interface Marker {
  /** Drawn when the database was created. */
  readonly cluster: string;
  /** The position of its write-ahead log, such as 0/16EF920. */
  readonly position: string;
}

/**
 * The embedded database leaves it to the operating system when its files reach the disk: a power cut could lose hours
 * of it, and what is left may look like a new database. So the files are flushed regularly, and the position is
 * recorded beside them.
 */
export class Checkpoints {
  private doneTo: string | null = null;
  private syncedAt = 0;

  constructor(
    private readonly database: EmbeddedPostgres,
    private readonly dataDir: string,
  ) {}

  /** Throws a DatabaseRefusal if the database is not the recorded one, or is older. */
  async assertNothingLost(): Promise<void> {
    const known = await readMarker(this.dataDir);
    if (known === null) return;
    this.syncedAt = (await stat(join(this.dataDir, MARKER))).mtimeMs;
    const { cluster, position } = await this.stand();
    if (cluster !== known.cluster || isBefore(position, known.position)) throw lost(this.dataDir);
  }

  /** Flushes all committed data to the disk and records the position. */
  async take(): Promise<void> {
    if ((await this.stand()).position === this.doneTo) return;
    await this.database.exec('CHECKPOINT');
    const { cluster, checkpoint, position } = await this.stand();
    await this.sync();
    await writeMarker(this.dataDir, { cluster, position: checkpoint });
    this.doneTo = position;
  }

  /** Call it after closing the database, which writes the rest. */
  async sync(): Promise<void> {
    const begun = Date.now();
    await syncFolder(join(this.dataDir, 'db'), this.syncedAt);
    this.syncedAt = begun;
  }

  private async stand(): Promise<Marker & { readonly checkpoint: string }> {
    const { rows } = await this.database.query<Marker & { checkpoint: string }>(
      `SELECT system_identifier::text AS cluster, checkpoint_lsn::text AS checkpoint, pg_current_wal_lsn()::text AS position
         FROM pg_control_system(), pg_control_checkpoint()`,
    );
    return rows[0]!;
  }
}

/** Throws a DatabaseRefusal if a database was recorded but is missing. */
export async function assertNotGone(dataDir: string): Promise<void> {
  if (!existsSync(join(dataDir, 'db')) && (await readMarker(dataDir)) !== null) throw lost(dataDir);
}

async function readMarker(dataDir: string): Promise<Marker | null> {
  const path = join(dataDir, MARKER);
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    const { cluster, position } = JSON.parse(text) as Partial<Marker>;
    if (cluster !== undefined && /^[0-9A-F]+\/[0-9A-F]+$/.test(position ?? '')) {
      return { cluster, position: position! };
    }
  } catch {
    // As below.
  }
  throw new DatabaseRefusal(
    `${path} is damaged: it says how far the database is known to be whole. Restore it with the rest of the data ` +
      'folder from one backup, or delete it when you are sure of the database.',
  );
}

/** Writes a file atomically and flushes it. */
async function writeMarker(dataDir: string, marker: Marker): Promise<void> {
  const unfinished = join(dataDir, `${MARKER}.new`);
  await writeFile(unfinished, `${JSON.stringify(marker)}\n`, { mode: 0o600, flush: true });
  await rename(unfinished, join(dataDir, MARKER));
  await syncNames(dataDir);
}

/** File times are coarser than the clock. */
const CLOCK_MS = 2_000;

/** The files of a folder that changed since a moment, and the folders with their names. */
async function syncFolder(folder: string, since: number): Promise<void> {
  const folders = new Set([folder]);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // Files may be gone by now: PostgreSQL removes and renames segments of its log.
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: -1 }));
    if (mtimeMs < since - CLOCK_MS) continue;
    folders.add(entry.isDirectory() ? path : entry.parentPath);
    if (entry.isFile()) await syncFile(path);
  }
  for (const path of folders) await syncNames(path);
}

/** Throws if a file cannot be flushed; one that is gone need not be. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return null;
  });
  try {
    await file?.sync();
  } finally {
    await file?.close();
  }
}

/** Flushes the folder itself, which Windows neither can nor needs to do. */
async function syncNames(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/** Log positions are two 32-bit numbers in hexadecimal. */
function isBefore(a: string, b: string): boolean {
  const numberOf = (position: string) => {
    const [high, low] = position.split('/').map((part) => BigInt(`0x${part}`)) as [bigint, bigint];
    return (high << 32n) + low;
  };
  return numberOf(a) < numberOf(b);
}

const lost = (dataDir: string) =>
  new DatabaseRefusal(
    `The database in ${join(dataDir, 'db')} is gone, or older than it was when this server last ran: games would be lost. ` +
      'Was there a power cut, or was a part of the folder restored or moved? Restore the whole data folder from one ' +
      `backup, or an export by \`npm run db:import\`. To go on with what is there all the same, delete ${join(dataDir, MARKER)}.`,
  );
