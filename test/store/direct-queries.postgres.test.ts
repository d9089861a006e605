import { Prisma } from '../../src/generated/prisma/client.js';
import { isConnectionLoss, refusalOf } from '../../src/platform/database/violations.js';
import { freshDatabase, type TestDatabase } from '../support/databases.js';

/** Statements that are sent past Prisma's client, compared with the same ones sent through it. */
// Both databases: each adapter reads values in its own way.

let database: TestDatabase;
beforeAll(async () => (database = await freshDatabase()));
afterAll(() => database.close());

const ID = '01a21440-d4fd-77fc-aa8c-c5781a0136cb';
const AT = new Date('2026-02-28T23:59:59.123Z');

const STATEMENTS: readonly (readonly [title: string, statement: Prisma.Sql])[] = [
  ['numbers', Prisma.sql`SELECT 1 AS a, 2::bigint AS b, 1.5::float8 AS c, count(*) AS d`],
  [
    'texts',
    Prisma.sql`SELECT ''::text AS a, 'ü"\\{},—將'::text AS b, ${ID}::uuid AS c, ${ID}::uuid::text AS d`,
  ],
  ['truth', Prisma.sql`SELECT true AS a, false AS b, NULL AS c, NULL::int AS d`],
  [
    'times',
    Prisma.sql`SELECT ${AT}::timestamptz AS a, ${AT}::timestamptz - interval '1 year' AS b,
    date_trunc('second', ${AT}::timestamptz) AS c, ${AT.toISOString()}::timestamptz AS d`,
  ],
  ['JSON', Prisma.sql`SELECT ${'{"a":[1,null,"x"]}'}::jsonb AS a, 'null'::json AS b, '"text"'::jsonb AS c`],
  ['bytes', Prisma.sql`SELECT ${Buffer.from([0, 255, 92])}::bytea AS a, ''::bytea AS b`],
  [
    'lists',
    Prisma.sql`SELECT ${['a', 'b"c', '{}']}::text[] AS a, ARRAY[1, NULL, 3] AS b, ${[AT]}::timestamptz[] AS c,
    ARRAY[1::bigint, NULL] AS d, ${[ID]}::uuid[] AS e, ARRAY['{"a":1}'::jsonb] AS f, ARRAY[true, false] AS g,
    ${[]}::text[] AS h, NULL::bigint[] AS i`,
  ],
  ['rows', Prisma.sql`SELECT n, n * 2 AS m FROM generate_series(1, 3) n`],
  ['no rows', Prisma.sql`SELECT 1 AS a WHERE false`],
  ['parts of statements', Prisma.sql`SELECT ${Prisma.join([1, 2].map((n) => Prisma.sql`${n}::int + 1`))}`],
];

test.each(STATEMENTS)('%s are read as Prisma reads them', async (_, statement) => {
  const rows = await database.queries.query<Record<string, unknown>[]>(statement);
  const expected = await database.prisma.$queryRaw<Record<string, unknown>[]>(statement);
  expect(rows.map(plain)).toEqual(expected.map(plain));
  expect(rows.map((row) => Object.keys(row))).toEqual(expected.map((row) => Object.keys(row)));
});

/** Bytes may be of either kind. */
const plain = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? [...value] : value]),
  );

test.each(['1.5::numeric', 'current_date', 'ARRAY[1.5::numeric]'])('%s is not read', async (value) => {
  const statement = Prisma.sql`SELECT ${Prisma.raw(value)} AS amount`;
  await expect(database.queries.query(statement)).rejects.toThrow('Cast the column amount');
});

test('a refusal of the database is recognised', async () => {
  const work = database.queries.query(Prisma.sql`SELECT 1 / ${0}::int`);
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ cause: { originalCode: '22012' } });
  expect([isConnectionLoss(error), refusalOf(error)]).toEqual([false, null]);
});

test.each([
  ['57014', 'OVERLOADED'],
  ['53100', 'STORAGE_FULL'],
  ['25006', 'UNAVAILABLE'],
])('state %s is reported as %s', async (state, code) => {
  const failing = Prisma.raw(`DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${state}'; END $$`);
  const error = await database.queries.query(failing).catch((thrown: unknown) => thrown);
  expect(refusalOf(error)).toMatchObject({ code });
});
