import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { migrate, type Migration } from './migrations.js';
import { assertOwnConnection } from './pooler.js';
import { DatabaseRefusal } from './refusal.js';
import { openServerSession, type SqlSession } from './session.js';
import { SilenceWatch } from './silence.js';
import { statementNames } from './statements.js';

const CONNECT_MS = 5_000;
const STATEMENT_MS = 8_000;
/** The longest wait for a lock. */
const LOCK_MS = 3_000;
const ANSWER_MS = 1_000;
const IDLE_IN_TRANSACTION_MS = 60_000;

/** The advisory lock of `prisma migrate`, so that both exclude each other. */
const MIGRATION_LOCK = '72707369';
const MIGRATION_LOCK_MS = 120_000;

export interface ServerOptions {
  readonly databaseUrl: string;
  readonly databasePool: number;
  /** Called when a connection of the pool is lost; the pool replaces it. */
  readonly onLoss: (error: Error) => void;
}

/** The pool for Prisma. Connections are opened on demand. */
export function openPool({ databaseUrl, databasePool, onLoss }: ServerOptions): Pool {
  const silence = new SilenceWatch(databaseUrl);
  const pool = new Pool({
    connectionString: databaseUrl,
    max: databasePool,
    application_name: 'halfmove',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    // If the network loses the answer, the timeout of the server does not help.
    query_timeout: STATEMENT_MS + ANSWER_MS,
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- the pool waits for it; its types do not say so
    onConnect: async (client) => {
      silence.watch(client);
      // Prisma reads and writes timestamps without a time zone, which is only right in UTC.
      await client.query(`SET TIME ZONE 'UTC'; SET statement_timeout = ${STATEMENT_MS};
        SET lock_timeout = ${LOCK_MS};
        SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`);
    },
  });
  // Keeps a listener for the whole life of the connection: the pool removes its own before Prisma adds one, and a loss
  // in between would end the process.
  pool.on('connect', (client) => void client.on('error', onLoss));
  pool.on('error', () => undefined);
  return pool;
}

/** Prisma's adapter over the pool, with statements that the server plans once per connection. */
export function serverAdapter(pool: Pool): PrismaPg {
  return new PrismaPg(pool, { statementNameGenerator: statementNames() });
}

/** Migrates the server. If several processes start at once, one migrates and the others wait. */
export async function migrateServer(
  databaseUrl: string,
  migrations: readonly Migration[],
): Promise<string[]> {
  const session = await openServerSession(databaseUrl, 'halfmove migrations');
  try {
    await assertOwnConnection(databaseUrl, session);
    await lockMigrations(session);
    return await migrate(session, migrations);
  } finally {
    // Closing the connection releases the lock.
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
