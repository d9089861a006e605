import { createHash, randomBytes } from 'node:crypto';
import { constants, copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Database, type DatabaseConfig, openDatabase } from '../../src/platform/database/database.js';
import { openEmbedded } from '../../src/platform/database/embedded.js';
import { MIGRATIONS, migrate, readMigrations } from '../../src/platform/database/migrations.js';
import { migrateServer } from '../../src/platform/database/server.js';
import { embeddedSession, openServerSession } from '../../src/platform/database/session.js';

/**
 * The PostgreSQL server for the tests, as postgresql://postgres@127.0.0.1:5432/postgres; undefined for the
 * embedded database.
 */
export const SERVER = process.env['TEST_DATABASE_URL'];

/** Where a test can open a database of its own. */
export interface Place extends DatabaseConfig {
  /** Removes the folder and the database, closing any connections to it. */
  remove(): Promise<void>;
}

/** A place for an embedded database: migrated, without tables, or not created yet. */
export async function embeddedPlace(state: Template | 'empty' = 'migrated'): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'halfmove-test-'));
  if (state !== 'empty') await copyTemplate(state, dataDir);
  const remove = () => rm(dataDir, { recursive: true, force: true });
  return {
    dataDir,
    databaseUrl: null,
    databasePool: 4,
    minFreeBytes: 1,
    checkpointSeconds: 3600,
    watchdogSeconds: 3600,
    remove,
  };
}

/** A database on the PostgreSQL server of TEST_DATABASE_URL: migrated, or without tables. */
export async function serverPlace(state: 'migrated' | 'empty' = 'migrated'): Promise<Place> {
  const server = serverAddress();
  const dataDir = await mkdtemp(join(tmpdir(), 'halfmove-test-'));
  const name = newName();
  const from = state === 'migrated' ? ` TEMPLATE ${await (serverTemplate ??= makeServerTemplate())}` : '';
  await onServer(server, `CREATE DATABASE ${name}${from}`);
  // The PostgreSQL server is never killed in tests, so commits need not wait for its disk.
  await onServer(server, `ALTER DATABASE ${name} SET synchronous_commit = off`);
  const remove = async () => {
    await rm(dataDir, { recursive: true, force: true });
    await onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  return {
    dataDir,
    databaseUrl: addressOf(name),
    databasePool: 8,
    minFreeBytes: 0,
    checkpointSeconds: 3600,
    watchdogSeconds: 3600,
    remove,
  };
}

function serverAddress(): string {
  if (SERVER === undefined) throw new Error('TEST_DATABASE_URL is not set');
  return SERVER;
}

/** scripts/test.mjs drops the databases of its run by this prefix. */
const newName = () => `halfmove_test_${process.env['TEST_RUN'] ?? 'alone'}_${randomBytes(6).toString('hex')}`;

function addressOf(name: string): string {
  const url = new URL(serverAddress());
  url.pathname = `/${name}`;
  return url.href;
}

/** One for all files of a worker, because copying is faster than migrating. */
let serverTemplate: Promise<string> | undefined;

async function makeServerTemplate(): Promise<string> {
  const name = newName();
  await onServer(serverAddress(), `CREATE DATABASE ${name}`);
  await migrateServer(addressOf(name), await readMigrations());
  return name;
}

async function onServer(server: string, statement: string): Promise<void> {
  const session = await openServerSession(server, 'halfmove tests');
  await session.run(statement).finally(() => session.close());
}

/** A place of the kind that this run uses. */
export const freshPlace = (): Promise<Place> => (SERVER === undefined ? embeddedPlace() : serverPlace());

export const openPlace = (place: Place): Promise<Database> => openDatabase(place, () => undefined);

/** Opens the database of a place while no server uses it. */
export async function within<T>(place: Place, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openPlace(place);
  return work(database).finally(() => database.close());
}

export interface TestDatabase extends Database {
  readonly place: Place;
}

/** An empty, migrated database of the kind that this run uses; `close` also removes it. */
export async function freshDatabase(overrides: Partial<DatabaseConfig> = {}): Promise<TestDatabase> {
  const place = await freshPlace();
  const database = await openDatabase({ ...place, ...overrides }, () => undefined);
  const close = () => database.close().finally(() => place.remove());
  return { ...database, place, close };
}

type Template = 'migrated' | 'bare';

const CACHE = fileURLToPath(new URL('../../.cache', import.meta.url));

/**
 * A template, made once for each set of migrations: creating an embedded database takes seconds, copying it a
 * moment.
 */
async function copyTemplate(kind: Template, dataDir: string): Promise<void> {
  const template = join(CACHE, `test-database-${kind}-${await templateKey()}`);
  if (!existsSync(template)) await makeTemplate(kind, template);
  copyFolder(join(template, 'db'), join(dataDir, 'db'));
}

/** Several times as fast as fs.cp for a thousand small files. */
function copyFolder(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target);
    else copyFileSync(source, target, constants.COPYFILE_FICLONE);
  }
}

async function makeTemplate(kind: Template, template: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const unfinished = await mkdtemp(`${template}-`);
  const { database, close } = await openEmbedded(unfinished);
  if (kind === 'migrated') await migrate(embeddedSession(database), await readMigrations());
  await close();
  // Another test file may have created the template first; it is equivalent.
  await rename(unfinished, template).catch(() => rm(unfinished, { recursive: true }));
}

async function templateKey(): Promise<string> {
  const hash = createHash('sha256').update(String(process.getuid?.()));
  hash.update(
    await readFile(new URL('../../node_modules/@electric-sql/pglite/package.json', import.meta.url)),
  );
  for (const name of (await readdir(MIGRATIONS)).sort()) hash.update(name);
  for (const { checksum } of await readMigrations()) hash.update(checksum);
  return hash.digest('hex').slice(0, 16);
}
