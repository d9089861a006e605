import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { Passwords } from '../../dist/features/auth/passwords.js';
import { readMigrations } from '../../dist/platform/database/migrations.js';
import { migrateServer } from '../../dist/platform/database/server.js';
import { UserError } from '../../scripts/support.mjs';
import { addOffers } from './offers.mjs';
import { usersOf } from './users.mjs';
import { batch } from './tables.mjs';

/**
 * The database to seed. The plan and the progress are stored in a schema of its own beside the server's
 * tables.
 */

export const PASSWORD = 'half a move at a time';

const YEARS = 3;
const YEAR = 365 * 86_400_000;
/** The advisory lock held while a program seeds the database. */
const LOCK = 5_300_217;
const LOCK_TRIES = 100;
const LOCK_PAUSE_MS = 100;
const MOST_IN_CHUNK = 1000;
const CHUNKS_AT_LEAST = 20;

const SCHEMA = `
  CREATE SCHEMA bench;
  CREATE TABLE bench.seeding (
    games integer NOT NULL, seed integer NOT NULL, until timestamptz(3) NOT NULL, chunk_size integer NOT NULL,
    rated boolean NOT NULL);
  CREATE TABLE bench.chunks (chunk integer PRIMARY KEY, games integer NOT NULL, plies integer NOT NULL)`;

async function connect(connectionString) {
  const client = new pg.Client({ connectionString, application_name: 'halfmove seed' });
  await client.connect();
  return client;
}

/** Creates the database if it does not exist. */
async function ensureDatabase(databaseUrl) {
  const name = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
  const admin = await connect(Object.assign(new URL(databaseUrl), { pathname: '/postgres' }).href);
  try {
    const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await admin.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  } finally {
    await admin.end();
  }
}

/** Retries, because a killed program may hold the lock for a moment longer. */
async function lock(client) {
  for (let tries = 0; tries < LOCK_TRIES; tries++) {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS ours', [LOCK]);
    if (rows[0].ours) return;
    await pause(LOCK_PAUSE_MS);
  }
  throw new UserError('Another program is seeding this database.');
}

async function readPlan(client) {
  const { rows: tables } = await client.query("SELECT to_regclass('bench.seeding') AS it");
  if (tables[0].it === null) return null;
  const { rows } = await client.query('SELECT * FROM bench.seeding');
  const { games, seed, until, chunk_size: chunkSize, rated } = rows[0];
  return { games, seed, until: until.getTime(), from: until.getTime() - YEARS * YEAR, chunkSize, rated };
}

function newPlan({ games, size, seed, until }) {
  const count = games ?? size;
  const end = until ?? Math.floor(Date.now() / 1000) * 1000;
  const chunkSize = Math.max(1, Math.min(MOST_IN_CHUNK, Math.floor(count / CHUNKS_AT_LEAST)));
  return { games: count, seed: seed ?? 1, until: end, from: end - YEARS * YEAR, chunkSize, rated: false };
}

/** Adds the schema, the users and the open offers in one transaction. */
async function begin(client, plan, seedSecret) {
  const { rows } = await client.query('SELECT EXISTS (SELECT 1 FROM users) AS used');
  if (rows[0].used) throw new UserError('This database already has users. Use an empty one.');
  const passwordHash = await new Passwords({ maxPasswordsAtOnce: 2, maxPasswordsWaiting: 100 }).hash(
    PASSWORD,
    '',
  );
  const lines = batch();
  for (const user of usersOf({ ...plan, passwordHash })) lines.add('users', user);
  await addOffers(plan, seedSecret, lines.add);
  await client.query('BEGIN');
  await client.query(SCHEMA);
  const { games, seed, until, chunkSize } = plan;
  const values = [games, seed, new Date(until), chunkSize];
  await client.query('INSERT INTO bench.seeding VALUES ($1, $2, $3, $4, false)', values);
  await lines.write(client);
  await client.query('COMMIT');
}

function demandSame(plan, { games, seed, until }) {
  const other = Object.entries({ games, seed, until }).find(([name, value]) => value !== null && value !== plan[name]); // prettier-ignore
  if (other === undefined) return;
  const had = other[0] === 'until' ? new Date(plan.until).toISOString() : plan[other[0]];
  throw new UserError(
    `This database was started with --${other[0]} ${had}. Continue with the same value, or drop the database.`,
  );
}

/** Opens, locks and migrates the database; returns it with its plan, which is stored at the first start. */
export async function openSeedDatabase(asked, seedSecret) {
  const { databaseUrl } = asked;
  await ensureDatabase(databaseUrl);
  const client = await connect(databaseUrl);
  try {
    await lock(client);
    await migrateServer(databaseUrl, await readMigrations());
    await client.query("SET TIME ZONE 'UTC'");
    const found = await readPlan(client);
    if (found !== null) demandSame(found, asked);
    const plan = found ?? newPlan(asked);
    if (found === null) await begin(client, plan, seedSecret);
    return { client, databaseUrl, plan };
  } catch (error) {
    await client.end();
    throw error;
  }
}
