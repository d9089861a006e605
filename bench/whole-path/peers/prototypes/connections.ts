import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { ASYNC, DB } from './kind.ts';

/** Connections to the databases. Statements have a name if the driver prepares them by name. */

export type Query = (name: string, text: string, values: unknown[]) => Promise<any[]>;

const POOL = 8;
const IDLE_MS = 800;

function url(): string {
  const address = new URL(process.env.DATABASE_URL!);
  if (ASYNC) address.searchParams.set('options', '-c synchronous_commit=off');
  return address.href;
}

const poolConfig = () => ({ connectionString: url(), max: POOL, idleTimeoutMillis: IDLE_MS });

export function openPool(): { pool: pg.Pool; query: Query } {
  const pool = new pg.Pool(poolConfig());
  const query: Query = async (name, text, values) => (await pool.query({ name, text, values })).rows;
  return { pool, query };
}

/** Names for the statements that Prisma writes, so that PostgreSQL keeps them prepared. */
function statementNames(): (statement: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    if (!names.has(sql)) names.set(sql, `p${names.size}`);
    return names.get(sql)!;
  };
}

async function prismaOver(adapter: unknown): Promise<any> {
  const { PrismaClient } = await import('./generated/client.ts');
  return new PrismaClient({ adapter: adapter as any });
}

const queryOf =
  (prisma: any): Query =>
  (_name, text, values) =>
    prisma.$queryRawUnsafe(text, ...values);

async function openPrisma(): Promise<{ prisma: any; query: Query }> {
  const { PrismaPg } = await import('@prisma/adapter-pg');
  const options = DB.startsWith('prisman') ? { statementNameGenerator: statementNames() } : {};
  const prisma = await prismaOver(new PrismaPg(poolConfig(), options as any));
  return { prisma, query: queryOf(prisma) };
}

async function openPglite(): Promise<{ prisma: any; query: Query }> {
  const { PGlite } = await import('@electric-sql/pglite');
  const { PrismaPGlite } = await import('pglite-prisma-adapter');
  const db = new PGlite(join(process.env.DATA_DIR!, 'pglite'));
  await db.exec(readFileSync(new URL('schema.sql', import.meta.url), 'utf8'));
  const prisma = await prismaOver(new PrismaPGlite(db));
  const direct: Query = async (_name, text, values) => (await db.query<any>(text, values)).rows;
  return { prisma, query: DB === 'pglite-batch' ? direct : queryOf(prisma) };
}

export const openWithPrisma = () => (DB.startsWith('pglite') ? openPglite() : openPrisma());
