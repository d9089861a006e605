import { openEmbedded } from '../../src/platform/database/embedded.js';
import { migrate, readMigrations } from '../../src/platform/database/migrations.js';
import { embeddedSession, openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import type { Place } from './databases.js';

/** A database as an earlier version of the program left it. */

export type Row = Readonly<Record<string, unknown>>;
/** The rows of each table by its name, in a fixed order. */
export type Rows = Readonly<Record<string, readonly Row[]>>;

/** Opens the database of a place without migrating it. */
export async function openRaw({ dataDir, databaseUrl }: Place): Promise<SqlSession> {
  if (databaseUrl !== null) return openServerSession(databaseUrl, 'test');
  const { database, close } = await openEmbedded(dataDir);
  return { ...embeddedSession(database), close };
}

/** All rows of all tables but the ledger of migrations. */
export async function readAll(session: SqlSession): Promise<Rows> {
  const tables = await session.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_name <> '_prisma_migrations' ORDER BY 1`,
  );
  const all: [string, Row[]][] = [];
  for (const { name } of tables) {
    const rows = await session.query<{ row: Row }>(
      `SELECT to_jsonb(t) AS row FROM ${name} t ORDER BY to_jsonb(t)::text COLLATE "C"`,
    );
    all.push([name, rows.map(({ row }) => row)]);
  }
  return Object.fromEntries(all);
}

/** Replaces a database by one of the migrations up to `last` with these rows; no trigger runs. */
export async function replaceBy(session: SqlSession, last: string, rows: Rows): Promise<void> {
  await session.run('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await migrate(
    session,
    (await readMigrations()).filter(({ name }) => name <= last),
  );
  await session.run('SET session_replication_role = replica');
  for (const [table, content] of Object.entries(rows)) await load(session, table, content);
  await session.run(
    `SET session_replication_role = origin; SELECT setval('events_id_seq', (SELECT max(id) FROM events))`,
  );
}

/** Of a table that the schema has, those columns that it has. */
async function load(session: SqlSession, table: string, rows: readonly Row[]): Promise<void> {
  const [{ names } = { names: null }] = await session.query<{ names: string | null }>(
    `SELECT string_agg(column_name, ', ') AS names FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'`,
    [table],
  );
  if (names === null) return;
  await session.run(`DELETE FROM ${table}`);
  await session.query(
    `INSERT INTO ${table} (${names}) SELECT ${names} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
    [JSON.stringify(rows)],
  );
}
