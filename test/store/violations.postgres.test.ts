import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isConnectionLoss, refusalOf } from '../../src/platform/database/violations.js';
import { Prisma } from '../../src/generated/prisma/client.js';
import { openServerSession } from '../../src/platform/database/session.js';
import { freshDatabase, SERVER, type TestDatabase } from '../support/databases.js';

// Both databases: each driver reports failures in its own way.

let database: TestDatabase;
beforeAll(async () => (database = await freshDatabase()));
afterAll(() => database.close());

const user = (username: string) => ({
  id: randomUUID(),
  username,
  displayName: username,
  passwordHash: '',
  createdAt: new Date(),
});
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => error,
  );

describe('specific failures', () => {
  test('a full disk is reported as such', async () => {
    const work = database.prisma.$executeRaw`
      DO $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = 'disk_full'; END $$`;
    expect(refusalOf(await failure(work))).toMatchObject({ code: 'STORAGE_FULL', status: 503 });
  });

  test('a read-only database is reported as such', async () => {
    const work = database.prisma.$executeRaw`
      DO $$ BEGIN RAISE EXCEPTION 'cannot execute in a read-only transaction' USING ERRCODE = '25006'; END $$`;
    expect(refusalOf(await failure(work))).toMatchObject({ code: 'UNAVAILABLE', status: 503 });
  });

  test.each([
    ['a serialisation failure', '40001'],
    ['a deadlock', '40P01'],
    ['a statement that took too long', '57014'],
  ])('%s is reported as overload', async (_, state) => {
    // A parameter is not possible inside; the states are those above.
    const work = database.prisma.$executeRaw(
      Prisma.raw(`DO $$ BEGIN RAISE EXCEPTION 'given up' USING ERRCODE = '${state}'; END $$`),
    );
    expect(refusalOf(await failure(work))).toMatchObject({ code: 'OVERLOADED', status: 503 });
  });

  test('other failures are not specific', async () => {
    const session = { id: randomUUID(), userId: randomUUID(), createdAt: new Date(), expiresAt: new Date() };
    const failures = [
      await failure(database.prisma.session.create({ data: session })),
      await failure(database.prisma.$queryRaw`SELECT 1 / 0`),
      await failure(database.prisma.$transaction(() => Promise.reject(new Error('unique constraint "a"')))),
    ];
    for (const error of failures) {
      expect(error).toBeInstanceOf(Error);
      expect(refusalOf(error)).toBeNull();
      expect(isConnectionLoss(error)).toBe(false);
    }
    for (const value of [null, undefined, 'text', new Error('a'), { code: 'P2002' }]) {
      expect(refusalOf(value)).toBeNull();
      expect(isConnectionLoss(value)).toBe(false);
    }
  });
});

describe('a transaction', () => {
  test('is rolled back when its work throws, and admits the next', async () => {
    const work = database.prisma.$transaction(async (tx) => {
      await tx.user.create({ data: user('undone') });
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await database.prisma.user.count({ where: { username: 'undone' } })).toBe(0);
    await database.prisma.$transaction((tx) => tx.user.create({ data: user('kept') }));
    expect(await database.prisma.user.count({ where: { username: 'kept' } })).toBe(1);
  });

  test('with a failing COMMIT fails', async () => {
    await database.prisma.$executeRaw`CREATE TABLE later (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)`;
    const work = database.prisma.$transaction(
      async (tx) => tx.$executeRaw`INSERT INTO later VALUES (1), (1)`,
    );
    await expect(work).rejects.toThrow();
    expect(await database.prisma.$queryRaw`SELECT id FROM later`).toEqual([]);
    await database.prisma.$executeRaw`DROP TABLE later`;
  });

  test('of many that start together runs in its turn', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `together-${i}`);
    await Promise.all(
      names.map((name) => database.prisma.$transaction(async (tx) => tx.user.create({ data: user(name) }))),
    );
    expect(await database.prisma.user.count({ where: { username: { startsWith: 'together-' } } })).toBe(40);
  });
});

test('times are stored to the millisecond', async () => {
  const { id } = await database.prisma.user.create({
    data: { ...user('punctual'), createdAt: new Date('2026-07-01T12:34:56.789Z') },
  });
  expect(
    await database.prisma.$queryRaw`
    SELECT extract(epoch FROM created_at)::text AS at FROM users WHERE id = ${id}::uuid`,
  ).toEqual([{ at: '1782909296.789000' }]);
  const { createdAt } = await database.prisma.user.findUniqueOrThrow({ where: { id } });
  expect(createdAt.toISOString()).toBe('2026-07-01T12:34:56.789Z');
});

if (SERVER !== undefined) {
  const server = SERVER;
  const name = () => new URL(database.place.databaseUrl!).pathname.slice(1);
  /** Waits until a query of this database sleeps. */
  const asleep = async () => {
    const session = await openServerSession(server, 'test');
    const sleepers = "SELECT pid FROM pg_stat_activity WHERE datname = $1 AND wait_event = 'PgSleep'";
    while ((await session.query(sleepers, [name()])).length === 0) await pause(20);
    await session.close();
  };
  const cutAll = async () => {
    const session = await openServerSession(server, 'test');
    await session.query('SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = $1', [
      name(),
    ]);
    await session.close();
  };

  describe('a lost connection is detected, and the next query uses another', () => {
    const ways: Readonly<Record<string, () => Promise<unknown>>> = {
      'in a query': async () => {
        const query = failure(database.prisma.$queryRaw`SELECT pg_sleep(60)::text`);
        await asleep();
        await cutAll();
        throw await query;
      },
      'in a transaction': () =>
        database.prisma.$transaction(async (tx) => {
          await tx.user.count();
          await cutAll();
          await tx.user.count();
        }),
      'before COMMIT': () =>
        database.prisma.$transaction(async (tx) => {
          await tx.user.count();
          await cutAll();
        }),
    };

    test.each(Object.entries(ways))('%s', async (_, way) => {
      const error = await failure(way());
      expect(isConnectionLoss(error)).toBe(true);
      expect(refusalOf(error)).toBeNull();
      // An idle connection that was cut as well is handed out until its end arrives.
      while (!(await database.ready())) await pause(20);
    });
  });

  test("a timestamp is stored in UTC whatever the database's time zone", async () => {
    await database.prisma.$executeRawUnsafe(`ALTER DATABASE "${name()}" SET timezone = 'Asia/Tokyo'`);
    await cutAll();
    while (!(await database.ready())) await pause(20);
    const { id } = await database.prisma.user.create({
      data: { ...user('tokyo'), createdAt: new Date('2026-07-01T00:00:00Z') },
    });
    expect(
      await database.prisma.$queryRaw`
      SELECT (created_at = '2026-07-01T00:00:00Z')::text AS same FROM users WHERE id = ${id}::uuid`,
    ).toEqual([{ same: 'true' }]);
  });
}
