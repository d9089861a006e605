import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Announcer } from '../../src/platform/announcer.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import { type OutboxPosition, type OutboxRow, OutboxStore } from '../../src/platform/outbox.store.js';
import { PubSub } from '../../src/platform/pubsub.js';
import { Time } from '../../src/platform/time.js';
import { freshDatabase, type TestDatabase } from '../support/databases.js';
import { onServer } from '../support/scale.js';

/** The outbox as its readers see it: in order, without gaps, however long a transaction takes to commit. */

const INSERT = `INSERT INTO outbox (game_id, version, created_at)
  VALUES (gen_random_uuid(), $1::integer, now())`;

onServer('the outbox', () => {
  let database: TestDatabase;
  let prisma: PrismaService;
  let outbox: OutboxStore;
  let slow: SqlSession;
  let quick: SqlSession;
  let start: OutboxPosition;

  beforeAll(async () => {
    database = await freshDatabase();
    prisma = new PrismaService(database);
    outbox = new OutboxStore(prisma);
    const { databaseUrl } = database.place;
    slow = await openServerSession(databaseUrl!, 'slow');
    quick = await openServerSession(databaseUrl!, 'quick');
  });
  afterAll(async () => {
    await slow?.close();
    await quick?.close();
    await database?.close();
  });
  beforeEach(async () => (start = await outbox.end()));

  const append = (session: SqlSession, version: number) => session.query(INSERT, [String(version)]);
  const versions = (rows: readonly OutboxRow[]) => rows.map(({ version }) => version);
  /** This many entries after a position: transactions of other databases of the server delay them, too. */
  async function told(position: OutboxPosition, many: number): Promise<readonly OutboxRow[]> {
    for (;;) {
      const rows = await outbox.after(position);
      if (rows.length >= many) return rows;
      await pause(20);
    }
  }

  test('returns what follows a position, once', async () => {
    await append(quick, 1);
    await append(quick, 2);
    const rows = await told(start, 2);
    expect(versions(rows)).toEqual([1, 2]);
    expect(await outbox.after(rows.at(-1)!)).toEqual([]);
    expect(versions(await outbox.after(rows[0]!))).toEqual([2]);
  });

  test('holds back what was committed after an open transaction, and then returns both', async () => {
    await slow.run('BEGIN');
    await append(slow, 1);
    await append(quick, 2);
    // The lower number is not there yet: passing on the higher one now would skip it.
    expect(await outbox.after(start)).toEqual([]);
    await slow.run('COMMIT');
    expect(versions(await told(start, 2))).toEqual([1, 2]);
  });

  test('skips nothing when numbers are assigned in another order than transactions began', async () => {
    await slow.run('BEGIN');
    await slow.query('SELECT pg_current_xact_id()::text AS xid');
    await append(quick, 1);
    await append(slow, 2);
    expect(await outbox.after(start)).toEqual([]);
    await slow.run('COMMIT');
    const rows = await told(start, 2);
    expect(versions(rows)).toEqual([2, 1]);
    expect(await outbox.after(rows.at(-1)!)).toEqual([]);
  });

  test('continues after a transaction that was rolled back', async () => {
    await slow.run('BEGIN');
    await append(slow, 1);
    await append(quick, 2);
    await slow.run('ROLLBACK');
    expect(versions(await told(start, 1))).toEqual([2]);
  });

  test('begins for a new reader before everything that is not committed yet', async () => {
    await slow.run('BEGIN');
    await append(slow, 1);
    const end = await outbox.end();
    await append(quick, 2);
    await slow.run('COMMIT');
    expect(versions(await told(end, 2))).toEqual([1, 2]);
  });

  test('is read page by page until nothing is left, however much there is', async () => {
    const gameId = randomUUID();
    const pubsub = new PubSub();
    const announcer = new Announcer(prisma, outbox, pubsub, new Time(), { outboxPollMs: 10 });
    await announcer.onApplicationBootstrap();
    const watching = pubsub.subscribe(`game.${gameId}`, 0);
    await watching.next();
    await quick.run(`INSERT INTO outbox (game_id, version, created_at)
      SELECT gen_random_uuid(), 1, now() FROM generate_series(1, 10000);
      INSERT INTO outbox (game_id, version, created_at)
      VALUES ('${gameId}', 2, now())`);
    const late = pause(60_000, 'too late', { ref: false });
    expect(await Promise.race([watching.next(), late])).toEqual({ done: false, value: { version: 2 } });
    await announcer.onApplicationShutdown();
  });
});
