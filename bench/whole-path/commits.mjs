import pg from 'pg';
import { recreate } from './database.mjs';

/** The database alone: one connection that updates one row and commits durably, which a move must do at least. */

const DATABASE = 'halfmove_whole_path_commits';
const ROWS = 1000;

export async function startCommits() {
  const url = await recreate(DATABASE);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE TABLE game (id int PRIMARY KEY, ply int NOT NULL) WITH (fillfactor = 70)');
  await client.query('INSERT INTO game SELECT number, 0 FROM generate_series(1, $1) number', [ROWS]);
  await client.query('VACUUM ANALYZE game');
  await client.end();
  // No server: the clients are connections to the database.
  return { url, pid: null };
}

const UPDATE = { name: 'update', text: 'UPDATE game SET ply = ply + 1 WHERE id = $1' };

let opened = 0;

export function commitMatch({ url }) {
  const client = new pg.Client({ connectionString: url });
  let [connected, id] = [null, 0];
  return {
    prepare: () => (connected ??= client.connect().then(() => client.query('SET synchronous_commit = on'))),
    fresh: () => {
      id = 1 + (opened++ % ROWS);
    },
    act: () => client.query({ ...UPDATE, values: [id] }),
    close: () => client.end(),
  };
}
