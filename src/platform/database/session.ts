import { Client } from 'pg';
import type { EmbeddedPostgres } from './embedded-postgres.js';
import { DatabaseRefusal } from './refusal.js';

/** One connection outside Prisma, for migrations, export and import. */
export interface SqlSession {
  /** Runs a statement with parameters as text or arrays of text; returns rows by column name. */
  query<Row extends object>(sql: string, parameters?: readonly Parameter[]): Promise<Row[]>;
  /** Runs any number of statements without parameters. */
  run(script: string): Promise<void>;
  close(): Promise<void>;
}

export type Parameter = string | null | readonly (string | null)[];

const CONNECT_MS = 10_000;

/** A dedicated connection to a PostgreSQL server. Throws a DatabaseRefusal if it cannot connect. */
export async function openServerSession(databaseUrl: string, applicationName: string): Promise<SqlSession> {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  });
  // A pending query gets the error as well; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect().catch((error: Error) => {
    throw unreachable(databaseUrl, error);
  });
  await client.query("SET TIME ZONE 'UTC'");
  return {
    query: async <Row extends object>(sql: string, parameters: readonly Parameter[] = []) =>
      (await client.query<Row>(sql, [...parameters])).rows,
    run: async (script) => void (await client.query(script)),
    close: () => client.end(),
  };
}

/** The embedded database as a session. Closing the session leaves the database open. */
export function embeddedSession(database: EmbeddedPostgres): SqlSession {
  return {
    query: async <Row extends object>(sql: string, parameters: readonly Parameter[] = []) =>
      (await database.query<Row>(sql, [...parameters])).rows,
    run: (script) => database.exec(script),
    close: () => Promise.resolve(),
  };
}

function unreachable(databaseUrl: string, cause: Error): DatabaseRefusal {
  const { host, pathname } = new URL(databaseUrl);
  return new DatabaseRefusal(
    `The database ${pathname.slice(1)} on ${host} cannot be opened: ${cause.message}. ` +
      'Check DATABASE_URL, and that the server runs and lets this user in.',
    { cause },
  );
}
