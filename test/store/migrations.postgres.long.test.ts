import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../../src/platform/database/embedded.js';
import {
  MIGRATIONS,
  type Migration,
  migrate,
  readMigrations,
} from '../../src/platform/database/migrations.js';
import { DatabaseRefusal } from '../../src/platform/database/refusal.js';
import { migrateServer } from '../../src/platform/database/server.js';
import { embeddedSession, openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import { embeddedPlace, SERVER, serverPlace } from '../support/databases.js';

// Long: it opens many databases.
// Both databases: they must run the same migrations.

const migration = (name: string, sql: string): Migration => ({
  name,
  sql,
  checksum: createHash('sha256').update(sql).digest('hex'),
});
const FIRST = migration('1_first', 'CREATE TABLE first (id integer); INSERT INTO first VALUES (1);');
const SECOND = migration('2_second', 'CREATE TABLE second (id integer);');
const FAILING = migration('2_failing', 'CREATE TABLE third (id integer); INSERT INTO first VALUES (1 / 0);');

async function emptySession(): Promise<SqlSession> {
  if (SERVER === undefined) {
    const place = await embeddedPlace('bare');
    const { database, close } = await openEmbedded(place.dataDir);
    return { ...embeddedSession(database), close: () => close().finally(() => place.remove()) };
  }
  const place = await serverPlace('empty');
  const session = await openServerSession(place.databaseUrl!, 'test');
  return { ...session, close: () => session.close().finally(() => place.remove()) };
}

let session: SqlSession;
beforeEach(async () => (session = await emptySession()));
afterEach(() => session.close());

const tables = async () =>
  (
    await session.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
    )
  ).map(({ name }) => name);

const refusal = async (migrations: readonly Migration[]): Promise<string> => {
  const error: unknown = await migrate(session, migrations).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(DatabaseRefusal);
  return (error as Error).message;
};

test('the migrations of the package apply in order, and only once', async () => {
  const migrations = await readMigrations();
  const names = migrations.map(({ name }) => name);
  expect(names).toEqual([...names].sort());
  expect(await migrate(session, migrations)).toEqual(names);
  expect(await tables()).toContain('plies');
  expect(await migrate(session, migrations)).toEqual([]);
});

test('the ledger is the one that Prisma keeps', async () => {
  await migrate(session, await readMigrations());
  const columns = await session.query(
    `SELECT column_name AS name, udt_name AS type, character_maximum_length AS length, is_nullable AS null
       FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`,
  );
  expect(columns).toEqual([
    { name: 'id', type: 'varchar', length: 36, null: 'NO' },
    { name: 'checksum', type: 'varchar', length: 64, null: 'NO' },
    { name: 'finished_at', type: 'timestamptz', length: null, null: 'YES' },
    { name: 'migration_name', type: 'varchar', length: 255, null: 'NO' },
    { name: 'logs', type: 'text', length: null, null: 'YES' },
    { name: 'rolled_back_at', type: 'timestamptz', length: null, null: 'YES' },
    { name: 'started_at', type: 'timestamptz', length: null, null: 'NO' },
    { name: 'applied_steps_count', type: 'int4', length: null, null: 'NO' },
  ]);
  const rows = await session.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
      WHERE finished_at >= started_at AND rolled_back_at IS NULL AND logs IS NULL AND applied_steps_count = 1`,
  );
  const { name, checksum } = rows[0]!;
  const bytes = await readFile(join(MIGRATIONS, name, 'migration.sql'));
  expect(checksum).toBe(createHash('sha256').update(bytes).digest('hex'));
});

test('reads a folder in the order of names, ignoring its files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'halfmove-migrations-'));
  for (const { name, sql } of [SECOND, FIRST]) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'migration.sql'), sql);
  }
  await writeFile(join(folder, 'migration_lock.toml'), '');
  expect(await readMigrations(folder)).toEqual([FIRST, SECOND]);
  await rm(folder, { recursive: true });
});

test('applies new migrations after the existing ones', async () => {
  await migrate(session, [FIRST]);
  expect(await migrate(session, [FIRST, SECOND])).toEqual(['2_second']);
  expect(await tables()).toEqual(['_prisma_migrations', 'first', 'second']);
});

test('rolls a failing one back completely, and keeps those before it', async () => {
  const message = await refusal([FIRST, FAILING]);
  expect(message).toContain('Migration 2_failing failed and was rolled back whole: division by zero');
  expect(await tables()).toEqual(['_prisma_migrations', 'first']);
  expect(await migrate(session, [FIRST, SECOND])).toEqual(['2_second']);
});

test('a changed one stops the start', async () => {
  await migrate(session, [FIRST]);
  const message = await refusal([migration('1_first', `${FIRST.sql} -- edited`), SECOND]);
  expect(message).toContain('Migration 1_first differs from the one that was applied');
  expect(message).toContain('Restore prisma/migrations/1_first/migration.sql');
  expect(await tables()).not.toContain('second');
});

test('one that is missing in the folder stops the start', async () => {
  await migrate(session, [FIRST, SECOND]);
  expect(await refusal([FIRST])).toMatch(/has migration 2_second.*the database is newer/);
});

test('one from before the first of the program stops the start, and says how to start anew', async () => {
  await migrate(session, [migration('20261120000000_first', FIRST.sql)]);
  const message = await refusal(await readMigrations());
  expect(message).toMatch(
    /^This database is from before the first release.*Start anew with an empty database: another/,
  );
  expect(message).not.toContain('newer');
  expect(await tables()).toEqual(['_prisma_migrations', 'first']);
});

test('a half-applied one stops the start until it is resolved', async () => {
  await migrate(session, [FIRST]);
  await session.run(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', '${SECOND.checksum}', '2_second')`,
  );
  expect(await refusal([FIRST, SECOND])).toContain('prisma migrate resolve --rolled-back 2_second');
  await session.run(`UPDATE _prisma_migrations SET rolled_back_at = now() WHERE id = 'x'`);
  expect(await migrate(session, [FIRST, SECOND])).toEqual(['2_second']);
});

if (SERVER !== undefined) {
  test('with processes that start at the same moment, one applies and the others wait', async () => {
    const place = await serverPlace('empty');
    const slow = migration('1_slow', 'SELECT pg_sleep(0.5); CREATE TABLE slow (id integer);');
    const starts = Array.from({ length: 4 }, () => migrateServer(place.databaseUrl!, [slow]));
    expect((await Promise.all(starts)).flat()).toEqual(['1_slow']);
    await place.remove();
  });

  test('refuses an unreachable server with an explanation, without its password', async () => {
    const error: unknown = await migrateServer('postgresql://me:hush@127.0.0.1:1/games', []).catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(DatabaseRefusal);
    expect((error as Error).message).toContain('The database games on 127.0.0.1:1 cannot be opened');
    expect((error as Error).message).not.toContain('hush');
  });
}
