import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseConfig } from './database.js';
import { openEmbedded } from './embedded.js';
import { DatabaseRefusal } from './refusal.js';
import { embeddedSession, openServerSession, type SqlSession } from './session.js';

export type Place = Pick<DatabaseConfig, 'dataDir' | 'databaseUrl'>;

/** One connection to the configured database, without migrating it. Throws a DatabaseRefusal. */
export async function openSession({ dataDir, databaseUrl }: Place, purpose: string): Promise<SqlSession> {
  if (databaseUrl !== null) return openServerSession(databaseUrl, `halfmove ${purpose}`);
  const embedded = await openEmbedded(dataDir);
  return { ...embeddedSession(embedded.database), close: () => embedded.close() };
}

/** Refuses a missing embedded database, which opening would create. */
export function assertExists({ dataDir, databaseUrl }: Place): void {
  if (databaseUrl !== null || existsSync(join(dataDir, 'db'))) return;
  throw new DatabaseRefusal(
    `There is no database in ${dataDir}. Name the folder (DATA_DIR) or the server (DATABASE_URL) that has it.`,
  );
}
