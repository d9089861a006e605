/**
 * Many stored plies, by copying the games of a database within it. The program reads which columns there are, so
 * that it fits any schema with these tables.
 */

/** Those whose rows stay with a game. Queues of work to be done are left out. */
const TABLES = ['plies', 'game_events', 'game_seats', 'events'];
const COPIES_AT_ONCE = 250;

/** The columns to copy: not those that PostgreSQL fills by itself. */
async function columnsOf(client, table) {
  const { rows } = await client.query(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER' AND is_identity = 'NO'
       AND coalesce(column_default, '') NOT LIKE 'nextval%'
     ORDER BY ordinal_position`,
    [table],
  );
  return rows.map(({ name }) => `"${name}"`);
}

/** The id of the copy with this number of the game with this number. */
const ID = "('00000000-0000-7000-8000-' || lpad(to_hex(o.number * 100000000 + c), 12, '0'))::uuid";

async function copy(client, table, key, [from, to]) {
  const columns = await columnsOf(client, table);
  if (columns.length === 0) return;
  const values = columns.map((name) => (name === `"${key}"` ? ID : `t.${name}`));
  await client.query(
    `INSERT INTO ${table} (${columns}) SELECT ${values}
     FROM originals o JOIN ${table} t ON t."${key}" = o.id CROSS JOIN generate_series($1::bigint, $2) c
     ON CONFLICT DO NOTHING`,
    [from, to],
  );
}

/** Copies these games until about so many plies are stored. */
export async function storeMany(client, gameIds, plies) {
  // No triggers: copies are history, and nobody is told about them.
  await client.query(
    "SET session_replication_role = replica; SET synchronous_commit = off; SET work_mem = '64MB'",
  );
  await client.query('CREATE TEMP TABLE originals (id uuid PRIMARY KEY, number bigint NOT NULL)');
  await client.query('INSERT INTO originals SELECT * FROM unnest($1::uuid[]) WITH ORDINALITY', [gameIds]);
  const counted = await client.query('SELECT count(*)::int AS plies FROM plies WHERE game_id = ANY($1)', [
    gameIds,
  ]);
  const copies = Math.ceil(plies / counted.rows[0].plies);
  for (let from = 1; from <= copies; from += COPIES_AT_ONCE) {
    const part = [from, Math.min(copies, from + COPIES_AT_ONCE - 1)];
    await copy(client, 'games', 'id', part);
    for (const table of TABLES) await copy(client, table, 'game_id', part);
  }
  await client.query('RESET ALL');
  await client.query('VACUUM (ANALYZE)');
  await client.query('CHECKPOINT');
}
