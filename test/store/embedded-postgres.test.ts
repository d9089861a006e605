import { PGlite } from '@electric-sql/pglite';
import { EmbeddedPostgres } from '../../src/platform/database/embedded-postgres.js';
import { embeddedPlace, type Place } from '../support/databases.js';

/** The embedded database gives in two exchanges the answers that PGlite gives in six. */

let place: Place;
let database: EmbeddedPostgres;
beforeAll(async () => {
  place = await embeddedPlace('bare');
  database = new EmbeddedPostgres(`${place.dataDir}/db`);
  await database.exec('CREATE TABLE t (id integer PRIMARY KEY, words text[])');
});
afterAll(async () => {
  await database.close();
  await place.remove();
});

const AS_ARRAYS = { rowMode: 'array', parsers: { 20: (text: string) => `${text}n` } } as const;
const ask = (sql: string, values: unknown[] = []) => database.query(sql, values, AS_ARRAYS);
const asPGlite = (sql: string, values: unknown[] = []) =>
  PGlite.prototype.query.call(database, sql, values, AS_ARRAYS);

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
  expect(await ask(sql, values)).toEqual(await asPGlite(sql, values));
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

test('a transaction is applied fully or not at all, and ends with its callback', async () => {
  const work = database.transaction(async (transaction) => {
    await transaction.query('INSERT INTO t VALUES (10, NULL)', [], AS_ARRAYS);
    await transaction.query('INSERT INTO t VALUES (10, NULL)', [], AS_ARRAYS);
  });
  await expect(work).rejects.toMatchObject({ code: '23505' });
  const after = await database.transaction(async (transaction) => {
    const { rows } = await transaction.query('SELECT id FROM t WHERE id = $1', [10], AS_ARRAYS);
    expect(rows).toEqual([]);
    return transaction;
  });
  await expect(after.query('SELECT 1')).rejects.toThrow('The transaction is over.');
});
