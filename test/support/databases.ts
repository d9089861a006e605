import { createHash, randomBytes } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, type DatabaseConfig, openDatabase } from '../../src/platform/database/database.js';
import { openEmbedded } from '../../src/platform/database/embedded.js';
import { MIGRATIONS, migrate, readMigrations } from '../../src/platform/database/migrations.js';
import { embeddedSession, openServerSession } from '../../src/platform/database/session.js';

/** A PostgreSQL server to run the tests on, as postgresql://postgres@127.0.0.1:5432/postgres; undefined: embedded. */
export const SERVER = process.env['TEST_DATABASE_URL'];

/** Where a database may be opened that nobody else uses. */
export interface Place extends DatabaseConfig {
  /** Removes the folder, and the server's database with whatever is still connected. */
  remove(): Promise<void>;
}

/** A place for an embedded database: migrated already and copied from a template, or empty. */
export async function embeddedPlace(state: 'migrated' | 'empty' = 'migrated'): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'halfmove-test-'));
  if (state === 'migrated') await copyTemplate(dataDir);
  const remove = () => rm(dataDir, { recursive: true, force: true });
  return { dataDir, databaseUrl: null, databasePool: 4, minFreeBytes: 1, remove };
}

/** A place on the PostgreSQL server of TEST_DATABASE_URL: an empty database. */
export async function serverPlace(server = SERVER): Promise<Place> {
  if (server === undefined) throw new Error('TEST_DATABASE_URL is not set');
  const name = `halfmove_test_${randomBytes(6).toString('hex')}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'halfmove-test-'));
  await onServer(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const remove = async () => {
    await rm(dataDir, { recursive: true, force: true });
    await onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  return { dataDir, databaseUrl: url.href, databasePool: 8, minFreeBytes: 0, remove };
}

async function onServer(server: string, statement: string): Promise<void> {
  const session = await openServerSession(server, 'halfmove tests');
  await session.run(statement).finally(() => session.close());
}

/** A place of the kind that this run is about. */
export const freshPlace = (): Promise<Place> => (SERVER === undefined ? embeddedPlace() : serverPlace());

export interface TestDatabase extends Database {
  readonly place: Place;
}

/** A migrated, empty database of the kind that this run is about; `close` removes it as well. */
export async function freshDatabase(overrides: Partial<DatabaseConfig> = {}): Promise<TestDatabase> {
  const place = await freshPlace();
  const database = await openDatabase({ ...place, ...overrides }, () => undefined);
  const close = () => database.close().finally(() => place.remove());
  return { ...database, place, close };
}

/** An embedded database takes seconds to make and a moment to copy: it is made once for each set of migrations. */
async function copyTemplate(dataDir: string): Promise<void> {
  const template = join(tmpdir(), `halfmove-template-${await templateKey()}`);
  if (!existsSync(template)) await makeTemplate(template);
  await cp(join(template, 'db'), join(dataDir, 'db'), { recursive: true, mode: constants.COPYFILE_FICLONE });
}

async function makeTemplate(template: string): Promise<void> {
  const unfinished = await mkdtemp(`${template}-`);
  const { database, close } = await openEmbedded(unfinished);
  await migrate(embeddedSession(database), await readMigrations());
  await close();
  // Another test file may have been first; then its template is as good.
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
