import type { PGlite } from '@electric-sql/pglite';
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlQueryable,
  Transaction,
} from '@prisma/driver-adapter-utils';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import type { SpaceGate } from './space.js';

/**
 * Prisma's adapter for the embedded database with two additions: statements that write pass the space gate, and a
 * failed COMMIT is reported (the adapter swallows it).
 */
export function embeddedAdapter(database: PGlite, gate: SpaceGate): SqlDriverAdapterFactory {
  const inner = new PrismaPGlite(database);
  return {
    provider: inner.provider,
    adapterName: inner.adapterName,
    connect: async () => gatedAdapter(await inner.connect(), gate),
  };
}

function gatedAdapter(inner: SqlDriverAdapter, gate: SpaceGate): SqlDriverAdapter {
  return {
    ...gatedQueries(inner, gate),
    executeScript: (script) => inner.executeScript(script),
    getConnectionInfo: () => inner.getConnectionInfo?.() ?? { supportsRelationJoins: false },
    // A single connection needs no isolation levels, and the adapter would set them outside the transaction.
    startTransaction: async () => gatedTransaction(await inner.startTransaction(), gate),
    dispose: () => inner.dispose(),
  };
}

function gatedTransaction(inner: Transaction, gate: SpaceGate): Transaction {
  return {
    ...gatedQueries(inner, gate),
    // `usePhantomQuery: false` lets Prisma send COMMIT and ROLLBACK itself before it releases the transaction.
    options: { usePhantomQuery: false },
    commit: () => inner.commit(),
    rollback: () => inner.rollback(),
    createSavepoint: (name) => execute(inner, `SAVEPOINT ${name}`),
    rollbackToSavepoint: (name) => execute(inner, `ROLLBACK TO SAVEPOINT ${name}`),
    releaseSavepoint: (name) => execute(inner, `RELEASE SAVEPOINT ${name}`),
  };
}

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
function carried(cause: Error): never {
  throw new Error(`The statement was not sent: ${cause.message}`, { cause });
}

async function execute(inner: SqlQueryable, sql: string): Promise<void> {
  await inner.executeRaw({ sql, args: [], argTypes: [] });
}

const HARMLESS = /^\s*(?:select|show|begin|commit|rollback|savepoint|release|set)\b/i;
const READING_WITH = /^\s*with\b(?!.*\b(?:insert|update|delete|merge)\b)/is;

/** A statement that cannot be classified counts as writing. */
export const isWrite = (sql: string): boolean => !HARMLESS.test(sql) && !READING_WITH.test(sql);
