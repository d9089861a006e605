import { createHash } from 'node:crypto';
import { type Migration, pendingMigrations } from '../migrations.js';
import { DatabaseRefusal } from '../refusal.js';
import type { SqlSession } from '../session.js';
import { quoted, sequencesOf, type Table, tablesOf } from './catalog.js';
import { FORMAT } from './format.js';

const ROWS_AT_ONCE = 500;

/**
 * A snapshot of the whole database as an export; `migrations` are those of the program. The session is left in a
 * transaction and cannot be used again. Throws a DatabaseRefusal.
 */
export async function* exported(
  session: SqlSession,
  migrations: readonly Migration[],
): AsyncGenerator<string, void> {
  await assertMigrated(session, migrations);
  await session.run('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  // Makes the output independent of the settings of the server.
  await session.run(
    "SET LOCAL bytea_output = 'hex'; SET LOCAL DateStyle = 'ISO'; SET LOCAL TimeZone = 'UTC'",
  );
  const hash = createHash('sha256');
  let rows = 0;
  for await (const lines of contents(session, migrations)) {
    rows += lines.filter((line) => line.startsWith('[')).length;
    const text = `${lines.join('\n')}\n`;
    hash.update(text);
    yield text;
  }
  yield `${JSON.stringify({ end: true, rows, sha256: hash.digest('hex') })}\n`;
}

async function* contents(
  session: SqlSession,
  migrations: readonly Migration[],
): AsyncGenerator<readonly string[]> {
  const applied = migrations.map(({ name, checksum }) => ({ name, checksum }));
  yield [JSON.stringify({ halfmove: 'export', format: FORMAT, migrations: applied })];
  for (const table of await tablesOf(session)) {
    yield [JSON.stringify({ table: table.name, columns: table.columns.map(({ name }) => name) })];
    yield* rowsOf(session, table);
  }
  const sequences = await sequencesOf(session);
  if (sequences.length > 0) {
    yield sequences.map(({ name, value }) => JSON.stringify({ sequence: name, value }));
  }
}

/** With a cursor only a few rows are in memory, on either kind of database. */
async function* rowsOf(session: SqlSession, table: Table): AsyncGenerator<readonly string[]> {
  const texts = table.columns.map(({ name }) => `${quoted(name)}::text`).join(', ');
  const order = table.primaryKey.map(quoted).join(', ');
  await session.run(
    `DECLARE carried NO SCROLL CURSOR FOR
       SELECT to_json(ARRAY[${texts}])::text AS line FROM ${quoted(table.name)} ORDER BY ${order}`,
  );
  for (;;) {
    const rows = await session.query<{ line: string }>(`FETCH ${ROWS_AT_ONCE} FROM carried`);
    if (rows.length === 0) break;
    yield rows.map(({ line }) => line);
  }
  await session.run('CLOSE carried');
}

async function assertMigrated(session: SqlSession, migrations: readonly Migration[]): Promise<void> {
  const [{ name } = { name: null }] = await session.query<{ name: string | null }>(
    `SELECT to_regclass('_prisma_migrations')::text AS name`,
  );
  const pending = name === null ? migrations : await pendingMigrations(session, migrations);
  if (pending.length === 0) return;
  throw new DatabaseRefusal(
    `This database is not up to date: ${pending[0]!.name} is not applied. ` +
      'Start the server on it once, or export it with the version of the program that last used it.',
  );
}
