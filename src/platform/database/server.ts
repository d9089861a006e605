import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { migrate, type Migration } from './migrations.js';
import { DatabaseRefusal } from './refusal.js';
import { openServerSession, type SqlSession } from './session.js';
import { statementNames } from './statements.js';

const CONNECT_MS = 5_000;
const STATEMENT_MS = 10_000;
/** Nobody waits longer for what somebody else holds. */
const LOCK_MS = 3_000;
const ANSWER_MS = 2_000;
const IDLE_IN_TRANSACTION_MS = 60_000;

/** The number under which `prisma migrate` takes its advisory lock: the two then exclude each other. */
const MIGRATION_LOCK = '72707369';
const MIGRATION_LOCK_MS = 120_000;

export interface ServerOptions {
  readonly databaseUrl: string;
  readonly databasePool: number;
  /** Called when a connection of the pool is lost; the pool replaces it by itself. */
  readonly onLoss: (error: Error) => void;
}

/** The pool for Prisma. Connections are made when first needed. */
export function openPool({ databaseUrl, databasePool, onLoss }: ServerOptions): Pool {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: databasePool,
    application_name: 'halfmove',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    // Where the network has swallowed the answer, the server's own timeout is of no use.
    query_timeout: STATEMENT_MS + ANSWER_MS,
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- the pool waits for it; its types do not say so
    onConnect: async (client) => {
      // Prisma reads and writes timestamps without their zone: in any zone but UTC they would be wrong.
      await client.query(`SET TIME ZONE 'UTC'; SET statement_timeout = ${STATEMENT_MS};
        SET lock_timeout = ${LOCK_MS};
        SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`);
    },
  });
  // For its whole life: the pool takes its own listener away as it hands a connection out, and Prisma sets one a moment
  // later. What is cut in between would end the process.
  pool.on('connect', (client) => client.on('error', onLoss));
  pool.on('error', () => undefined);
  return pool;
}

/** Prisma's adapter over the pool, with statements that the server plans once for each connection. */
export function serverAdapter(pool: Pool): PrismaPg {
  return new PrismaPg(pool, { statementNameGenerator: statementNames() });
}

/** Brings the server's tables up to date; of several processes that start at once, one does it and the others wait. */
export async function migrateServer(
  databaseUrl: string,
  migrations: readonly Migration[],
): Promise<string[]> {
  const session = await openServerSession(databaseUrl, 'halfmove migrations');
  try {
    await lockMigrations(session);
    return await migrate(session, migrations);
  } finally {
    // The lock ends with the connection.
    await session.close();
  }
}

async function lockMigrations(session: SqlSession): Promise<void> {
  await session.run(`SET lock_timeout = ${MIGRATION_LOCK_MS}`);
  await session.query('SELECT pg_advisory_lock($1::bigint)', [MIGRATION_LOCK]).catch((error: Error) => {
    throw new DatabaseRefusal(
      `Another process has been migrating this database for more than ${MIGRATION_LOCK_MS / 1000} seconds. ` +
        'Wait until it is done, or end it, and start again.',
      { cause: error },
    );
  });
}
