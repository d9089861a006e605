import pg from 'pg';

/**
 * Exits with 0 if the PostgreSQL server of TEST_DATABASE_URL answers, else prints why not: node
 * .ci/database.mjs
 */

const DEFAULT_SERVER = 'postgresql://postgres@127.0.0.1:5432/postgres';
const { hostname, port, href } = new URL(process.env.TEST_DATABASE_URL || DEFAULT_SERVER);

const client = new pg.Client({ connectionString: href, connectionTimeoutMillis: 10_000 });
try {
  await client.connect();
  await client.end();
} catch (error) {
  console.error(`No PostgreSQL server at ${hostname}:${port || 5432}: ${error.message || error.code}`);
  process.exitCode = 1;
}
