import { PGlite } from '@electric-sql/pglite';
import { EmbeddedPostgres } from '../../src/platform/database/embedded-postgres.js';
import { embeddedPlace, type Place } from '../support/databases.js';

/** The embedded database answers from its thread what PGlite answers in this one. */
// Long: it opens many databases.

let place: Place;
let database: EmbeddedPostgres;
let pglite: PGlite;
const losses: string[] = [];
beforeAll(async () => {
  place = await embeddedPlace('bare');
  pglite = await PGlite.create();
  database = await open();
  for (const one of [database, pglite])
    await one.exec('CREATE TABLE t (id integer PRIMARY KEY, words text[])');
});
afterAll(async () => {
  await Promise.all([pglite.close(), database.close()]);
  await place.remove();
  expect(losses).toEqual([]);
});

const open = () => EmbeddedPostgres.open(`${place.dataDir}/db`, 3600, (why) => losses.push(why));

const AS_ARRAYS = { rowMode: 'array', parsers: { 20: (text: string) => `${text}n` } } as const;
const ask = <Row = unknown[]>(sql: string, values: unknown[] = []) =>
  database.query<Row>(sql, values, AS_ARRAYS);
const asPGlite = (sql: string, values: unknown[] = []) => pglite.query(sql, values, AS_ARRAYS);

test.each([
  ['SELECT 1 AS one, NULL AS none, now() - now() AS span', []],
  [
    'SELECT $1::bigint, $2::text[], $3::jsonb, $4::bytea',
    [7, ['a', 'ü'], { a: [1] }, new Uint8Array([0, 255])],
  ],
  ['SELECT $1::timestamptz, $2::uuid, $3::float8, $4::text', ['2026-01-01', null, 0.1, 'ö']],
  ['SELECT id FROM t WHERE id > $1', [1000]],
  ['UPDATE t SET id = id WHERE id > $1', [1000]],
  ['SET TIME ZONE UTC', []],
])('%s', async (sql, values) => {
  const { rows, fields, affectedRows } = await asPGlite(sql, values);
  const expected = { rows, fields, affectedRows };
  expect(await ask(sql, values)).toEqual(expected);
  // Now it is prepared.
  expect(await ask(sql, values)).toEqual(expected);
});

test('gives rows as objects, values of every size, and bytes of every kind', async () => {
  const [long, bytes] = ['ü'.repeat(300_000), Uint8Array.from({ length: 256 }, (_, i) => i)];
  const { rows } = await database.query('SELECT $1::text AS long, $2::bytea AS bytes, $3::bytea[] AS more', [
    long,
    bytes,
    [bytes],
  ]);
  expect(rows).toEqual([{ long, bytes, more: [bytes] }]);
});

test('reports how many rows were changed', async () => {
  const { affectedRows } = await ask('INSERT INTO t VALUES ($1, $2), (2, NULL)', [1, ['a']]);
  expect(affectedRows).toBe(2);
});

test.each([
  ['SELEC', []],
  ['SELECT * FROM nothing', []],
  ['SELECT 1 / $1::integer', [0]],
  ['SELECT $1::boolean', ['neither']],
  ['INSERT INTO t VALUES (3, NULL), (3, NULL)', []],
])('continues after an error in %s', async (sql, values) => {
  const told = (error: { message: string; code?: string }) => [error.message, error.code];
  const error = await ask(sql, values).then(() => null, told);
  expect(error).not.toBeNull();
  expect(error).toEqual(await asPGlite(sql, values).catch(told));
  expect((await ask('SELECT 1')).rows).toEqual([[1]]);
});

test('prepares a statement anew after its table has changed or it was forgotten', async () => {
  await database.exec('CREATE TABLE u (a integer); INSERT INTO u VALUES (1)');
  const look = () => database.query('SELECT * FROM u WHERE a > $1', [0]);
  await look();
  await database.exec("ALTER TABLE u ADD b text DEFAULT 'b'");
  expect((await look()).rows).toEqual([{ a: 1, b: 'b' }]);
  await database.exec('DEALLOCATE ALL');
  expect((await look()).rows).toEqual([{ a: 1, b: 'b' }]);
  const { query, release } = await database.begin();
  await query("ALTER TABLE u ADD c text DEFAULT 'c'");
  // Inside a transaction the error ends it.
  await expect(query('SELECT * FROM u WHERE a > $1', [0])).rejects.toMatchObject({ code: '0A000' });
  await release();
  expect((await look()).rows).toEqual([{ a: 1, b: 'b' }]);
});

test('statements that are sent together are answered in turn, also if one fails', async () => {
  const answers = await Promise.allSettled([1, 0, 2].map((n) => ask('SELECT 6 / $1::integer', [n])));
  const told = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.rows : 'failed'));
  expect(told).toEqual([[[6]], 'failed', [[3]]]);
});

test('a transaction is applied fully or not at all, and ends when it is released', async () => {
  const { query, release } = await database.begin();
  const meanwhile = ask('SELECT id FROM t WHERE id = 10');
  await query('INSERT INTO t VALUES (10, NULL)');
  await expect(query('INSERT INTO t VALUES (10, NULL)')).rejects.toMatchObject({ code: '23505' });
  await release();
  expect((await meanwhile).rows).toEqual([]);
  await expect(async () => query('SELECT 1')).rejects.toThrow('The transaction is over.');
  const second = await database.begin();
  await second.query('INSERT INTO t VALUES (10, NULL)');
  await second.query('COMMIT');
  await Promise.all([second.release(), second.release()]);
  expect((await ask('SELECT id FROM t WHERE id = 10')).rows).toEqual([[10]]);
});

test('waits for what was sent before it closes, and then refuses everything', async () => {
  const other = await embeddedPlace('bare');
  const closed = await EmbeddedPostgres.open(`${other.dataDir}/db`, 3600, (why) => losses.push(why));
  const sent = closed.query<{ n: number }>('SELECT count(*)::integer AS n FROM generate_series(1, 300000)');
  const closing = closed.close();
  // It comes while the database is being closed.
  await expect(sent.then(() => closed.query('SELECT 1'))).rejects.toThrow('the embedded database is closed');
  await closing;
  expect((await sent).rows).toEqual([{ n: 300000 }]);
  await expect(closed.query('SELECT 1')).rejects.toThrow('the embedded database is closed');
  await other.remove();
});
