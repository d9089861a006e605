import type { SqlSession } from '../session.js';

/** The tables to transfer, read from the database itself, so that new tables and columns need no change here. */
export interface Table {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly primaryKey: readonly string[];
}

/**
 * Not transferred. The table of migrations comes with the program. The changes and events of users and the queue of the
 * log use transaction numbers that mean nothing in another database. Triggers there write them and the list of running
 * games anew. Mails, news and pushes are sent by the server that was asked for them, and its counts are forgotten by a crash as well.
 */
const LEFT_BEHIND = ['_prisma_migrations', 'changes', 'event_state', 'unlogged', 'events', 'running_games', 'mails', 'news_items', 'pushes', 'log_readers', 'rate_counts']; // prettier-ignore

const TABLES = `
  SELECT c.relname AS name,
         (SELECT jsonb_agg(jsonb_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) ORDER BY attnum)
            FROM pg_attribute
           WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns,
         (SELECT jsonb_agg(a.attname ORDER BY k.place)
            FROM pg_index i, unnest(i.indkey) WITH ORDINALITY AS k(attnum, place), pg_attribute a
           WHERE i.indrelid = c.oid AND i.indisprimary AND a.attrelid = c.oid AND a.attnum = k.attnum) AS "primaryKey",
         (SELECT coalesce(jsonb_agg(DISTINCT f.relname), '[]') FROM pg_constraint r JOIN pg_class f ON f.oid = r.confrelid
           WHERE r.conrelid = c.oid AND r.contype = 'f' AND r.confrelid <> c.oid) AS "pointsTo"
    FROM pg_class c
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
   ORDER BY c.relname`;

interface Row extends Table {
  /** The tables that a foreign key of this one refers to. */
  readonly pointsTo: readonly string[];
}

/** The tables to transfer, each after the tables that it refers to. */
export async function tablesOf(session: SqlSession): Promise<Table[]> {
  const all = await session.query<Row>(TABLES);
  return inOrder(all.filter(({ name }) => !LEFT_BEHIND.includes(name)));
}

function inOrder(tables: readonly Row[]): Row[] {
  const ordered: Row[] = [];
  const waiting = new Set(tables);
  while (waiting.size > 0) {
    const names = new Set([...waiting].map(({ name }) => name));
    const free = [...waiting].filter(({ pointsTo }) => !pointsTo.some((name) => names.has(name)));
    if (free.length === 0) throw new Error(`these tables point to each other: ${[...names].join(', ')}`);
    ordered.push(...free);
    for (const each of free) waiting.delete(each);
  }
  return ordered;
}

/** The sequences in use, with their last numbers. */
export function sequencesOf(session: SqlSession): Promise<{ name: string; value: string }[]> {
  return session.query(
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
      WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY 1`,
  );
}

/** A name as SQL text. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
