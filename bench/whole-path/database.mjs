import pg from 'pg';
import { UserError } from '../../scripts/support.mjs';
import { PG_SERVER } from './settings.mjs';

/** The benchmark's databases on the PostgreSQL server. */

export const urlOf = (name) => Object.assign(new URL(PG_SERVER), { pathname: `/${name}` }).href;

const admin = new pg.Client({ connectionString: urlOf('postgres') });

export async function openDatabase() {
  await admin.connect().catch(({ message }) => {
    throw new UserError(`The benchmark needs a PostgreSQL server; set PG_URL. ${message}`);
  });
}

export const closeDatabase = () => admin.end();

/** Drops and creates a database; returns its URL. */
export async function recreate(name) {
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${name}`);
  return urlOf(name);
}

/** Bytes of write-ahead log since the server was set up. */
export async function walBytes() {
  const { rows } = await admin.query(`SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS bytes`);
  return Number(rows[0].bytes);
}
