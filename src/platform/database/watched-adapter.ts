import { setTimeout as pause } from 'node:timers/promises';
import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQueryable } from '@prisma/driver-adapter-utils';
import { DomainError } from '../errors/errors.js';
import { carried, isWrite } from './gated-adapter.js';
import { isDamage, isTimeout } from './violations.js';

/** A commit that takes longer counts as a fault of the database, such as a synchronous standby that is gone. */
const STALLED_MS = 4_000;

/** How long the database may take to answer whether it works. */
export const READY_MS = 2_000;

/** While nothing is stored, this many attempts may wait for it; the other connections are left to reads. */
const MOST_STALLED = 3;

/** How long damaged data is told. */
const REMEMBERED_MS = 60_000;

const DAMAGED = 'A part of the database is damaged and cannot be read: see the log, and restore a backup.';
const NOTHING_STORED = 'The database answers, but does not confirm that anything is stored.';

/** Watches whether commits are confirmed, and whether the data is whole. `store` stores something of no meaning. */
export class StatementWatch {
  /** The beginnings of the commits that are not confirmed yet, the oldest first. */
  private readonly waiting = new Set<{ readonly since: number }>();
  private isStalled = false;
  private damagedAt = -Infinity;
  private probe: Promise<boolean> | null = null;

  constructor(private readonly store: () => Promise<unknown>) {}

  /** A fault of the database that still answers, as a text, or null; asks it, for two seconds at most. */
  async trouble(): Promise<string | null> {
    if (performance.now() - this.damagedAt < REMEMBERED_MS) return DAMAGED;
    return (await Promise.race([this.stores(), pause(READY_MS, false, { ref: false })]))
      ? null
      : NOTHING_STORED;
  }

  /** Sends a statement. Throws UNAVAILABLE without sending it if it writes and enough others wait already. */
  async during<Answer>(sql: string, send: () => Promise<Answer>): Promise<Answer> {
    const writes = isWrite(sql);
    if (writes && this.isFull()) carried(stalled());
    const commit = { since: performance.now() };
    if (writes || COMMIT.test(sql)) this.waiting.add(commit);
    try {
      return await send();
    } catch (error) {
      if (isDamage(error)) this.damagedAt = performance.now();
      if (isTimeout(error) && this.waiting.has(commit)) this.isStalled = true;
      throw error;
    } finally {
      this.waiting.delete(commit);
    }
  }

  private isFull(): boolean {
    if (this.waiting.size < MOST_STALLED) return false;
    const [oldest] = this.waiting;
    this.isStalled ||= performance.now() - oldest!.since > STALLED_MS;
    if (this.isStalled) void this.stores();
    return this.isStalled;
  }

  private stores(): Promise<boolean> {
    this.probe ??= this.store()
      .then(
        () => !(this.isStalled = false),
        () => false,
      )
      .finally(() => (this.probe = null));
    return this.probe;
  }
}

const COMMIT = /^\s*commit\b/i;

const stalled = (): DomainError =>
  new DomainError(
    'UNAVAILABLE',
    'The database stores nothing at present: games can be read but not changed. Try again in 5 seconds.',
    { retryAfter: 5 },
  );

/** What a statement did that has succeeded; `rows` are those that it changed or returned. */
type Done = (sql: string, rows: number) => void;

/** The same adapter, with each of its statements watched. `onStored` is called after each commit that stored something. */
export function watchedAdapter(
  factory: SqlDriverAdapterFactory,
  watch: StatementWatch,
  onStored: () => void,
): SqlDriverAdapterFactory {
  const { provider, adapterName } = factory;
  const connect = async () => watchedConnection(await factory.connect(), watch, onStored);
  return { provider, adapterName, connect };
}

function watchedConnection(
  adapter: SqlDriverAdapter,
  watch: StatementWatch,
  onStored: () => void,
): SqlDriverAdapter {
  const start = adapter.startTransaction.bind(adapter);
  const startTransaction: typeof start = async (level) =>
    watched(await start(level), watch, storedWithin(onStored));
  const done: Done = (sql, rows) => {
    if (rows > 0 && isWrite(sql)) onStored();
  };
  return Object.assign(watched(adapter, watch, done), { startTransaction });
}

/** In a transaction, what was written is stored by its commit. */
function storedWithin(onStored: () => void): Done {
  let hasWritten = false;
  return (sql, rows) => {
    if (COMMIT.test(sql)) {
      if (hasWritten) onStored();
    } else hasWritten ||= rows > 0 && isWrite(sql);
  };
}

function watched<Queries extends SqlQueryable>(queries: Queries, watch: StatementWatch, done: Done): Queries {
  const [queryRaw, executeRaw] = [queries.queryRaw.bind(queries), queries.executeRaw.bind(queries)];
  return Object.assign(queries, {
    queryRaw: async (query: Parameters<typeof queryRaw>[0]) => {
      const result = await watch.during(query.sql, () => queryRaw(query));
      done(query.sql, result.rows.length);
      return result;
    },
    executeRaw: async (query: Parameters<typeof executeRaw>[0]) => {
      const rows = await watch.during(query.sql, () => executeRaw(query));
      done(query.sql, rows);
      return rows;
    },
  });
}
