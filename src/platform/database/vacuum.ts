import type { EmbeddedPostgres } from './embedded-postgres.js';

/** The thresholds of PostgreSQL's autovacuum. */
const MOST_IN_NEED = `
  SELECT quote_ident(s.relname) AS name FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
  WHERE s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
     OR s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
     OR s.n_ins_since_vacuum > 1000 + 0.2 * greatest(c.reltuples, 0)
  ORDER BY s.n_dead_tup DESC, s.n_mod_since_analyze DESC LIMIT 1`;

/**
 * Frees the room of old rows in the table that has the most of them, and counts its values for the planner; tables below
 * the thresholds are left alone. The embedded database has no autovacuum. One table at a time, because others wait.
 * Returns its name, or null.
 */
export async function vacuumOne(database: Pick<EmbeddedPostgres, 'query' | 'exec'>): Promise<string | null> {
  const { rows } = await database.query<{ name: string }>(MOST_IN_NEED);
  const name = rows[0]?.name ?? null;
  if (name !== null) await database.exec(`VACUUM (ANALYZE) ${name}`);
  return name;
}
