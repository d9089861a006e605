import pg from 'pg';

/**
 * A database of its own for one run of .ci/run:
 *
 *   node .ci/database.mjs create NAME    prints its address; exit code 3 when no server answers
 *   node .ci/database.mjs drop NAME
 *
 * The server is the one of TEST_DATABASE_URL, else postgresql://postgres@127.0.0.1:5432/postgres.
 */

const NO_SERVER = 3;
const server = new URL(process.env.TEST_DATABASE_URL || 'postgresql://postgres@127.0.0.1:5432/postgres');
const [verb, name] = process.argv.slice(2);

const client = new pg.Client({ connectionString: server.href, connectionTimeoutMillis: 10_000 });
try {
  await client.connect();
} catch (error) {
  console.error(
    `No PostgreSQL server at ${server.hostname}:${server.port || 5432}: ${error.message || error.code}`,
  );
  process.exit(NO_SERVER);
}

const quoted = client.escapeIdentifier(name);
if (verb === 'create') {
  await client.query(`CREATE DATABASE ${quoted}`);
  const own = new URL(server.href);
  own.pathname = `/${name}`;
  console.log(own.href);
} else {
  await client.query(`DROP DATABASE IF EXISTS ${quoted} WITH (FORCE)`);
}
await client.end();
