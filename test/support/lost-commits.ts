import type { SqlSession } from '../../src/platform/database/session.js';

const TABLES = ['plies', 'game_events', 'events'];

/** Does something, and then takes away from the database what it stored of a game. */
export async function lost<T>(db: SqlSession, id: string, work: () => Promise<T>): Promise<T> {
  await db.run('DROP TABLE IF EXISTS kept; CREATE TABLE kept (LIKE games)');
  await db.query('INSERT INTO kept SELECT * FROM games WHERE id = $1::uuid', [id]);
  const done = await work();
  const [columns] = await db.query<{ names: string }>(
    `SELECT string_agg(quote_ident(column_name), ', ') AS names FROM information_schema.columns
     WHERE table_name = 'games' AND is_generated = 'NEVER' AND column_name <> 'id'`,
  );
  await db.run('BEGIN; SET LOCAL session_replication_role = replica');
  for (const table of TABLES) {
    const version = table === 'events' ? 'version' : 'seq';
    await db.query(`DELETE FROM ${table} WHERE game_id = $1::uuid AND ${version} > (SELECT version FROM kept)`, [id]); // prettier-ignore
  }
  await db.run(`UPDATE games g SET (${columns!.names}) = (SELECT ${columns!.names} FROM kept) FROM kept k WHERE g.id = k.id`); // prettier-ignore
  await db.run('DELETE FROM running_games; INSERT INTO running_games SELECT last_activity_at, id, ruleset FROM games WHERE ended_at IS NULL'); // prettier-ignore
  await db.run('COMMIT');
  return done;
}
