import { DatabaseRefusal } from './refusal.js';
import { openServerSession, type SqlSession } from './session.js';

/** A busy pooler may have given the connection of the one to somebody else before the other asked. */
const TRIES = 10;

/**
 * Refuses a pooler that lends connections by transaction: the settings, prepared statements and locks of a session would
 * be somebody else's. By then a connection serves two sessions, or a session has two.
 */
export async function assertOwnConnection(databaseUrl: string, session: SqlSession): Promise<void> {
  const other = await openServerSession(databaseUrl, 'halfmove start');
  try {
    const own = await backendOf(session);
    for (let tries = 0; tries < TRIES; tries++) {
      if ((await backendOf(other)) === own || (await backendOf(session)) !== own) throw pooled();
    }
  } finally {
    await other.close();
  }
}

async function backendOf(session: SqlSession): Promise<string> {
  const [backend] = await session.query<{ id: string }>('SELECT pg_backend_pid()::text AS id');
  return backend!.id;
}

const pooled = () =>
  new DatabaseRefusal(
    'DATABASE_URL leads to a pooler that lends its connections by transaction, such as PgBouncer with ' +
      'pool_mode=transaction. Set pool_mode=session there, or name the PostgreSQL server itself.',
  );
