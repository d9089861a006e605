import type { PGlite } from '@electric-sql/pglite';
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlQueryable,
  Transaction,
} from '@prisma/driver-adapter-utils';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import type { EmbeddedPostgres, OpenTransaction } from './embedded-postgres.js';
import type { SpaceGate } from './space.js';

/** Prisma's adapter for the embedded database. Statements that write pass the space gate. */
export function embeddedAdapter(database: EmbeddedPostgres, gate: SpaceGate): SqlDriverAdapterFactory {
  const { provider, adapterName } = adapterOf(database);
  return { provider, adapterName, connect: () => connection(database, gate) };
}

async function connection(database: EmbeddedPostgres, gate: SpaceGate): Promise<SqlDriverAdapter> {
  return {
    ...gatedQueries(await adapterOf(database).connect(), gate),
    executeScript: (script) => database.exec(script),
    getConnectionInfo: () => ({ supportsRelationJoins: true }),
    // A single connection needs no isolation levels.
    startTransaction: async () => gatedTransaction(await database.begin(), gate),
    dispose: () => Promise.resolve(),
  };
}

async function gatedTransaction(opened: OpenTransaction, gate: SpaceGate): Promise<Transaction> {
  const inner = await adapterOf(opened).connect();
  return {
    ...gatedQueries(inner, gate),
    // `usePhantomQuery: false` lets Prisma send COMMIT and ROLLBACK itself before it releases the transaction.
    options: { usePhantomQuery: false },
    commit: () => opened.release(),
    rollback: () => opened.release(),
    createSavepoint: (name) => execute(inner, `SAVEPOINT ${name}`),
    rollbackToSavepoint: (name) => execute(inner, `ROLLBACK TO SAVEPOINT ${name}`),
    releaseSavepoint: (name) => execute(inner, `RELEASE SAVEPOINT ${name}`),
  };
}

/** The adapter converts values and errors; of PGlite it uses only `query`, and the rest is done here. */
const adapterOf = (place: Pick<EmbeddedPostgres, 'query'>): PrismaPGlite =>
  new PrismaPGlite(place as unknown as PGlite);

function gatedQueries(inner: SqlQueryable, gate: SpaceGate): SqlQueryable {
  const passed = async (query: SqlQuery) => {
    if (isWrite(query.sql)) await gate.assertSpace().catch(carried);
    return query;
  };
  return {
    provider: inner.provider,
    adapterName: inner.adapterName,
    queryRaw: async (query) => inner.queryRaw(await passed(query)),
    executeRaw: async (query) => inner.executeRaw(await passed(query)),
  };
}

/** Prisma wraps any error with a `code`; an error without one passes unchanged (see refusalOf). */
export function carried(cause: Error): never {
  throw new Error(`The statement was not sent: ${cause.message}`, { cause });
}

async function execute(inner: SqlQueryable, sql: string): Promise<void> {
  await inner.executeRaw({ sql, args: [], argTypes: [] });
}

const HARMLESS = /^\s*(?:select|show|begin|commit|rollback|savepoint|release|set)\b/i;
const READING_WITH = /^\s*with\b(?!.*\b(?:insert|update|delete|merge)\b)/is;

/** A statement that cannot be classified counts as writing. */
export const isWrite = (sql: string): boolean => !HARMLESS.test(sql) && !READING_WITH.test(sql);
