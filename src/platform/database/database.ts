import { setTimeout as pause } from 'node:timers/promises';
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { Config } from '../../config.js';
import { PrismaClient } from '../../generated/prisma/client.js';
import { RepeatedTask } from '../process/repeated-task.js';
import { openEmbedded } from './embedded.js';
import { directQueries, type DirectQueries } from './direct-queries.js';
import { embeddedAdapter } from './gated-adapter.js';
import { migrate, readMigrations } from './migrations.js';
import { Nudges } from './nudges.js';
import { migrateServer, openPool, serverAdapter } from './server.js';
import { embeddedSession } from './session.js';
import { SpaceGate } from './space.js';
import { vacuumOne } from './vacuum.js';
import { READY_MS, StatementWatch, watchedAdapter } from './watched-adapter.js';

export type DatabaseConfig = Pick<
  Config,
  'dataDir' | 'databaseUrl' | 'databasePool' | 'minFreeBytes' | 'checkpointSeconds' | 'watchdogSeconds'
>;

/** An open, migrated database. */
export interface Database {
  readonly kind: 'embedded' | 'server';
  readonly prisma: PrismaClient;
  readonly queries: DirectQueries;
  /** By which processes hear of each other; null for the embedded database, which has one process. */
  readonly nudges: Nudges | null;
  /** Whether it answers, within two seconds. */
  ready(): Promise<boolean>;
  /** A fault of the database that still answers, as a text, or null. */
  trouble(): Promise<string | null>;
  close(): Promise<void>;
}

/** Writes something of no meaning into the log of the database, which confirms it as it does any commit. */
const STORE = `SELECT pg_logical_emit_message(true, 'halfmove', '')`;

// The embedded database has one connection: a transaction waits for all earlier ones.
const EMBEDDED_TRANSACTIONS = { maxWait: 30_000, timeout: 30_000 };
const SERVER_TRANSACTIONS = { maxWait: 5_000, timeout: 15_000 };

/**
 * Opens and migrates the server at `databaseUrl`, or else the embedded database in `dataDir`. `onLoss` is called for
 * lost connections, which the pool replaces. Throws a DatabaseRefusal.
 */
export async function openDatabase(
  config: DatabaseConfig,
  onLoss: (error: Error) => void,
): Promise<Database> {
  return config.databaseUrl === null
    ? openEmbeddedDatabase(config)
    : openServerDatabase({ ...config, databaseUrl: config.databaseUrl, onLoss });
}

async function openEmbeddedDatabase(config: DatabaseConfig): Promise<Database> {
  const embedded = await openEmbedded(config.dataDir, config.watchdogSeconds);
  try {
    await migrate(embeddedSession(embedded.database), await readMigrations());
    await embedded.checkpoint();
  } catch (error) {
    await embedded.close();
    throw error;
  }
  const gate = new SpaceGate(config.dataDir, config.minFreeBytes);
  const adapter = embeddedAdapter(embedded.database, gate);
  const checkpoints = new RepeatedTask('Checkpoint', config.checkpointSeconds * 1000, async () => {
    if ((await gate.trouble()) === null) await vacuumOne(embedded.database);
    await embedded.checkpoint();
  });
  checkpoints.start();
  return asDatabase(
    'embedded',
    adapter,
    EMBEDDED_TRANSACTIONS,
    () => Promise.resolve(),
    () => gate.trouble(),
    async () => {
      await checkpoints.stop();
      await embedded.close();
    },
    null,
  );
}

async function openServerDatabase(options: Parameters<typeof openPool>[0]): Promise<Database> {
  await migrateServer(options.databaseUrl, await readMigrations());
  const pool = openPool(options);
  // A PostgreSQL server reports other troubles by refusing commits: see GroupCommit.
  return asDatabase(
    'server',
    serverAdapter(pool),
    SERVER_TRANSACTIONS,
    () => pool.query(STORE),
    () => Promise.resolve(null),
    () => pool.end(),
    new Nudges(options.databaseUrl),
  );
}

export interface TransactionLimits {
  /** Milliseconds to wait for a connection. */
  readonly maxWait: number;
  /** Milliseconds a transaction may take. */
  readonly timeout: number;
}

/** A client whose errors have no terminal colours and no source excerpts. */
export function openClient(
  adapter: SqlDriverAdapterFactory,
  transactionOptions: TransactionLimits,
): PrismaClient {
  return new PrismaClient({ adapter, transactionOptions, errorFormat: 'minimal' });
}

async function asDatabase(
  kind: Database['kind'],
  adapter: SqlDriverAdapterFactory,
  limits: TransactionLimits,
  store: () => Promise<unknown>,
  trouble: () => Promise<string | null>,
  closeConnections: () => Promise<void>,
  nudges: Nudges | null,
): Promise<Database> {
  const watch = new StatementWatch(store);
  const watched = watchedAdapter(adapter, watch, () => nudges?.stored());
  const prisma = openClient(watched, limits);
  return {
    kind,
    prisma,
    queries: directQueries(await watched.connect()),
    nudges,
    ready: () => answers(prisma),
    trouble: async () => (await watch.trouble()) ?? trouble(),
    close: async () => {
      await nudges?.close();
      await prisma.$disconnect();
      await closeConnections();
    },
  };
}

async function answers(prisma: PrismaClient): Promise<boolean> {
  const asked = prisma.$queryRaw`SELECT 1`.then(
    () => true,
    () => false,
  );
  return Promise.race([asked, pause(READY_MS, false, { ref: false })]);
}
