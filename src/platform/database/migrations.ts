import { createHash, randomUUID } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseRefusal } from './refusal.js';
import type { SqlSession } from './session.js';

/** The folder of the migrations, the same from src and from dist. */
export const MIGRATIONS = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

export interface Migration {
  readonly name: string;
  /** SHA-256 of the file, hex: Prisma's checksum. */
  readonly checksum: string;
  readonly sql: string;
}

/** The table of Prisma, so that `prisma migrate` sees the same state. */
const LEDGER = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id                  VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum            VARCHAR(64) NOT NULL,
  finished_at         TIMESTAMPTZ,
  migration_name      VARCHAR(255) NOT NULL,
  logs                TEXT,
  rolled_back_at      TIMESTAMPTZ,
  started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

/** The migrations of a folder, by name. */
export async function readMigrations(folder = MIGRATIONS): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(names.sort().map((name) => readMigration(folder, name)));
}

async function readMigration(folder: string, name: string): Promise<Migration> {
  const bytes = await readFile(join(folder, name, 'migration.sql'));
  return { name, checksum: createHash('sha256').update(bytes).digest('hex'), sql: bytes.toString('utf8') };
}

/**
 * Applies the missing migrations, each in one transaction with its row; returns their names. Throws a DatabaseRefusal.
 */
export async function migrate(session: SqlSession, migrations: readonly Migration[]): Promise<string[]> {
  await session.run(LEDGER);
  const pending = await pendingMigrations(session, migrations);
  for (const migration of pending) await apply(session, migration);
  return pending.map((migration) => migration.name);
}

interface LedgerRow {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished: boolean;
}

/** The migrations that are not applied yet. Throws a DatabaseRefusal if the database does not match the folder. */
export async function pendingMigrations(
  session: SqlSession,
  migrations: readonly Migration[],
): Promise<Migration[]> {
  const rows = await session.query<LedgerRow>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished
       FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  );
  for (const row of rows) assertKnown(row, migrations);
  const applied = new Set(rows.map((row) => row.migration_name));
  return migrations.filter((migration) => !applied.has(migration.name));
}

function assertKnown(row: LedgerRow, migrations: readonly Migration[]): void {
  const migration = migrations.find(({ name }) => name === row.migration_name);
  if (!row.finished) throw halfApplied(row.migration_name);
  if (isBeforeFirst(row.migration_name, migrations))
    throw new DatabaseRefusal(`This database ${BEFORE_FIRST}`);
  if (!migration) throw unknown(row.migration_name);
  if (migration.checksum !== row.checksum) throw changed(row.migration_name);
}

/** True of a migration from before the first one of the program: nothing leads from there to here. */
export const isBeforeFirst = (name: string, [first]: readonly Migration[]): boolean =>
  first !== undefined && name < first.name;

/** What is said of a database or an export with such a migration. */
export const BEFORE_FIRST =
  'is from before the first release, and this version cannot read it. Start anew with an empty database: ' +
  'another folder in DATA_DIR, or another database in DATABASE_URL. ' +
  'To keep its games as texts, download them first from the version that last used it.';

async function apply(session: SqlSession, { name, checksum, sql }: Migration): Promise<void> {
  await session.run('BEGIN');
  try {
    await session.run(sql);
    await session.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    );
    await session.run('COMMIT');
  } catch (error) {
    await session.run('ROLLBACK').catch(() => undefined);
    throw failed(name, error);
  }
}

const halfApplied = (name: string) =>
  new DatabaseRefusal(
    `Migration ${name} was begun and not finished in this database (by another tool, as \`prisma migrate\`). ` +
      'Undo what it left, or restore a backup, then mark it with ' +
      `\`npx prisma migrate resolve --rolled-back ${name}\` and start again.`,
  );

const unknown = (name: string) =>
  new DatabaseRefusal(
    `This database has migration ${name}, which this version of the program does not know: the database is newer. ` +
      'Start the version of the program that last used it, or a later one.',
  );

const changed = (name: string) =>
  new DatabaseRefusal(
    `Migration ${name} differs from the one that was applied to this database. ` +
      `Restore prisma/migrations/${name}/migration.sql as it was released; what is to change goes into a new migration.`,
  );

const failed = (name: string, cause: unknown) =>
  new DatabaseRefusal(
    `Migration ${name} failed and was rolled back whole: ${cause instanceof Error ? cause.message : String(cause)}. ` +
      'The database is as it was before; mend the cause and start again.',
    { cause },
  );
