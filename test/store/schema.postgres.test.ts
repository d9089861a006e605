import { freshDatabase, type TestDatabase } from '../support/databases.js';
import { fillEveryTable } from '../support/rows.js';
import { type Column, type Index, readSchema } from '../support/schema.js';

// Both databases: they must have the same schema.

let database: TestDatabase;
beforeAll(async () => (database = await freshDatabase()));
afterAll(() => database.close());

describe('schema.prisma and the migrations agree', () => {
  const byName = <T extends { readonly name: string }>(all: readonly T[]) =>
    [...all].sort((a, b) => (a.name < b.name ? -1 : 1));
  const byText = <T>(all: readonly T[]) => all.map((each) => JSON.stringify(each)).sort();
  const schema = readSchema();

  test('on tables', async () => {
    const tables = await database.prisma.$queryRaw<{ name: string }[]>`
      SELECT table_name::text AS name FROM information_schema.tables
       WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'`;
    expect(byName(tables)).toEqual(byName(schema.map(({ name }) => ({ name }))));
    expect(schema.length).toBeGreaterThan(9);
  });

  test.each(schema.map((table) => [table.name, table] as const))(
    'on the columns of %s',
    async (name, table) => {
      const columns = await database.prisma.$queryRaw<Column[]>`
      SELECT attname::text AS name, format_type(atttypid, atttypmod) AS type, NOT attnotnull AS nullable
        FROM pg_attribute WHERE attrelid = ${name}::text::regclass AND attnum > 0 AND NOT attisdropped`;
      expect(byName(columns)).toEqual(byName(table.columns));
    },
  );

  test.each(schema.map((table) => [table.name, table] as const))(
    'on the indexes of %s',
    async (name, table) => {
      // Partial indexes are left out: schema.prisma cannot express them.
      const indexes = await database.prisma.$queryRaw<Index[]>`
      SELECT CASE WHEN indisprimary THEN 'primary' WHEN indisunique THEN 'unique' ELSE 'plain' END AS kind,
             (SELECT jsonb_agg(attname ORDER BY place) FROM unnest(indkey) WITH ORDINALITY AS k(attnum, place)
                JOIN pg_attribute a ON a.attrelid = indrelid AND a.attnum = k.attnum) AS columns
        FROM pg_index WHERE indrelid = ${name}::text::regclass AND indpred IS NULL`;
      const plain = indexes.map(({ kind, columns }) => ({ columns, kind }));
      expect(byText(plain)).toEqual(byText(table.indexes.map(({ kind, columns }) => ({ columns, kind }))));
    },
  );
});

describe('played games cannot be changed', () => {
  beforeAll(() => fillEveryTable(database.prisma));

  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    'a game cannot be deleted': () => database.prisma.game.deleteMany(),
    'a ply cannot be changed': () => database.prisma.ply.updateMany({ data: { san: 'e5' } }),
    'a ply cannot be deleted': () => database.prisma.ply.deleteMany(),
    'deleting zero rows is refused like any deletion': () =>
      database.prisma.ply.deleteMany({ where: { seq: -1 } }),
    'the plies cannot be truncated': () => database.prisma.$executeRaw`TRUNCATE plies`,
    'truncating the games is refused, too': () => database.prisma.$executeRaw`TRUNCATE games CASCADE`,
    'an event cannot be changed': () => database.prisma.gameEvent.updateMany({ data: { type: 'end' } }),
    'an event cannot be deleted': () => database.prisma.gameEvent.deleteMany(),
    'the events cannot be truncated': () => database.prisma.$executeRaw`TRUNCATE game_events`,
    'an entry of the log cannot be changed': () =>
      database.prisma.logEntry.updateMany({ data: { entry: '{}' } }),
    'an entry of the log cannot be deleted': () => database.prisma.logEntry.deleteMany(),
    'a hash of the log cannot be changed': () => database.prisma.logNode.updateMany({ data: { level: 1 } }),
    'the hashes of the log cannot be truncated': () => database.prisma.$executeRaw`TRUNCATE log_nodes`,
    'an upsert cannot overwrite a ply': () => database.prisma.$executeRaw`
      INSERT INTO plies SELECT * FROM plies ON CONFLICT (game_id, seq) DO UPDATE SET san = 'e5'`,
  };

  test.each(Object.entries(changes))('%s', async (_, change) => {
    const error = await change().catch((caught: unknown) => caught as { message: string; meta: unknown });
    // Prisma words it in its own way for a model, with the message of the database.
    expect(JSON.stringify(error)).toContain('is append-only');
    expect(await database.prisma.ply.count({ where: { san: 'e4' } })).toBe(1);
    expect(await database.prisma.gameEvent.count({ where: { type: 'start' } })).toBe(1);
  });
});
