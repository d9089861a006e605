import { randomUUID } from 'node:crypto';
import { BEGINNING, type ChangePosition, type ChangeRow } from '../../src/features/changes/change.row.js';
import { ChangesStore } from '../../src/features/changes/changes.store.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import { freshDatabase, type TestDatabase } from '../support/databases.js';
import { onEmbedded, onServer } from '../support/scale.js';
import { fillEveryTable } from '../support/rows.js';

/** Changes as their readers see them: for the right users, in order, without gaps. */

const END = { xid: '9223372036854775807', kind: '', id: '' };

let database: TestDatabase;
let prisma: PrismaService;
let store: ChangesStore;
beforeAll(async () => {
  database = await freshDatabase();
  prisma = new PrismaService(database);
  store = new ChangesStore(prisma);
});
afterAll(() => database?.close());

/** A user's rows, reported already or not. */
const all = (userId: string) =>
  database.prisma.change.findMany({
    where: { userId },
    orderBy: [{ kind: 'asc' }, { id: 'asc' }],
    select: { kind: true, id: true, deleted: true },
  });

onEmbedded('the triggers', () => {
  test('record a row of each table for its users', async () => {
    const { gameId } = await fillEveryTable(database.prisma);
    const { firstId, secondId } = await database.prisma.game.findUniqueOrThrow({ where: { id: gameId } });
    const vacation = await database.prisma.vacation.findFirstOrThrow({ where: { userId: firstId } });
    const imported = await database.prisma.importedGame.findFirstOrThrow({ where: { userId: firstId } });
    const there = (kind: string, id: string) => ({ kind, id, deleted: false });
    expect(await all(firstId)).toEqual([
      there('block', secondId),
      there('challenge', gameId),
      there('game', gameId),
      there('import', imported.id),
      there('messages', gameId),
      there('notification', `${gameId}:yourTurn`),
      there('profile', firstId),
      there('rating', 'chess'),
      there('vacation', vacation.id),
    ]);
    expect(await all(secondId)).toEqual([
      there('game', gameId),
      there('messages', gameId),
      there('profile', secondId),
      there('seat', gameId),
    ]);
  });

  test('exist on all tables with rows of a user, for every kind of write', async () => {
    const triggers = await database.prisma.$queryRaw<{ name: string; events: number }[]>`
      SELECT tgrelid::regclass::text AS name, count(*)::integer AS events FROM pg_trigger
      WHERE tgname LIKE '%\_change\_on\_%' GROUP BY 1 ORDER BY 1`;
    const tables = [
      ...['blocks', 'challenges', 'game_seats', 'games', 'imported_games', 'messages'],
      ...['notifications', 'ratings', 'users', 'vacations'],
    ];
    // An imported game never changes.
    const eventsOf = (name: string) => (name === 'imported_games' ? 2 : 3);
    expect(triggers).toEqual(tables.map((name) => ({ name, events: eventsOf(name) })));
  });

  test('ignore what no one is shown', async () => {
    const { gameId } = await fillEveryTable(database.prisma);
    const { firstId: userId } = await database.prisma.game.findUniqueOrThrow({ where: { id: gameId } });
    const stamps = () => database.prisma.$queryRaw`
      SELECT kind, id, xid::text FROM changes WHERE user_id = ${userId}::uuid ORDER BY 1, 2`;
    const before = await stamps();
    await database.prisma.rating.updateMany({ where: { userId }, data: { listedUntil: null } });
    await database.prisma.vacation.updateMany({ where: { userId }, data: { settled: true } });
    await database.prisma.user.update({ where: { id: userId }, data: { passwordHash: 'other' } });
    await database.prisma.game.update({ where: { id: gameId }, data: { secondPlan: [], plans: 2 } });
    expect(await stamps()).toEqual(before);
    await database.prisma.game.update({ where: { id: gameId }, data: { firstPlan: [], plans: 3 } });
    expect(await stamps()).not.toEqual(before);
  });

  test('leave a tombstone when something is deleted or cancelled', async () => {
    const { gameId } = await fillEveryTable(database.prisma);
    const { firstId, secondId } = await database.prisma.game.findUniqueOrThrow({ where: { id: gameId } });
    await database.prisma.vacation.updateMany({ where: { userId: firstId }, data: { days: 0 } });
    await database.prisma.block.deleteMany({ where: { blockerId: firstId } });
    await database.prisma.notification.deleteMany({ where: { userId: firstId } });
    await database.prisma.gameSeat.deleteMany({ where: { gameId } });
    const gone = async (id: string) =>
      (await all(id)).filter(({ deleted }) => deleted).map(({ kind }) => kind);
    expect(await gone(firstId)).toEqual(['block', 'notification', 'vacation']);
    expect(await gone(secondId)).toEqual(['seat']);
    await database.prisma.block.create({
      data: { blockerId: firstId, blockedId: secondId, createdAt: new Date() },
    });
    expect(await gone(firstId)).toEqual(['notification', 'vacation']);
  });

  test('keep one row per object, however often it changes', async () => {
    const { gameId } = await fillEveryTable(database.prisma);
    const { firstId } = await database.prisma.game.findUniqueOrThrow({ where: { id: gameId } });
    const before = await all(firstId);
    for (let version = 3; version < 20; version++) {
      await database.prisma.game.update({ where: { id: gameId }, data: { version } });
    }
    expect(await all(firstId)).toEqual(before);
  });
});

onEmbedded('the history', () => {
  test('is the same while the database stays where it is, and new when it is moved', async () => {
    const epoch = async () => (await store.now()).epoch;
    const first = await epoch();
    expect(await epoch()).toBe(first);
    await fillEveryTable(database.prisma);
    // As after restoring a dump on another server: its numbers are far ahead.
    await database.prisma.$executeRaw`UPDATE change_epochs SET place = 'elsewhere'`;
    await database.prisma.$executeRaw`UPDATE changes SET xid = ${END.xid}::text::xid8 WHERE kind = 'profile'`;
    // More than are renumbered at once.
    for (let part = 0; part < 5; part++) {
      await database.prisma.$executeRaw`
        INSERT INTO changes SELECT gen_random_uuid(), 'game', i::text, ${END.xid}::text::xid8, false, now()
        FROM generate_series(1, 5000) i`;
    }
    expect(await epoch()).toBeNull();
    await Promise.all([store.begin(), store.begin()]);
    const next = await epoch();
    expect(next).toMatch(/^[0-9a-f-]{36}$/);
    expect(next).not.toBe(first);
    expect(await epoch()).toBe(next);
    const ahead = await database.prisma.$queryRaw`
      SELECT kind FROM changes WHERE xid > pg_snapshot_xmax(pg_current_snapshot())`;
    expect(ahead).toEqual([]);
  });
});

onServer('a reader', () => {
  let slow: SqlSession;
  let quick: SqlSession;
  let userId: string;
  let start: ChangePosition;

  beforeAll(async () => {
    const { databaseUrl } = database.place;
    slow = await openServerSession(databaseUrl!, 'slow');
    quick = await openServerSession(databaseUrl!, 'quick');
  });
  afterAll(async () => {
    await slow?.close();
    await quick?.close();
  });
  beforeEach(async () => {
    userId = randomUUID();
    start = BEGINNING;
  });

  const change = (session: SqlSession, id: string) =>
    session.query('SELECT write_changes($1::text, ARRAY[$2::text]::uuid[], ARRAY[$3::text], false)', [
      'game',
      userId,
      id,
    ]);
  const ids = (rows: readonly ChangeRow[]) => rows.map(({ id }) => id);

  /** The reported changes once no transaction of ours is open: others on the same server may delay them. */
  async function after(position: ChangePosition): Promise<readonly ChangeRow[]> {
    const [now] = await quick.query<{ xid: string }>(
      'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS xid',
    );
    for (;;) {
      const { rows, horizon } = await store.after(userId, position, 100);
      if (BigInt(horizon) >= BigInt(now!.xid)) return rows;
    }
  }

  /** The changes reported at this moment. */
  const told = async (position: ChangePosition) => ids((await store.after(userId, position, 100)).rows);

  test('receives what follows a position, once, and again when it changes again', async () => {
    await change(quick, 'a');
    await change(quick, 'b');
    const rows = await after(start);
    expect(ids(rows)).toEqual(['a', 'b']);
    expect(await after(rows.at(-1)!)).toEqual([]);
    await change(quick, 'a');
    expect(ids(await after(rows.at(-1)!))).toEqual(['a']);
    expect(ids(await after(start))).toEqual(['b', 'a']);
  });

  test('waits for an open transaction, although a later one is committed', async () => {
    await slow.run('BEGIN');
    await change(slow, 'a');
    await change(quick, 'b');
    // The lower number is not there yet: passing on the higher one now would skip it.
    expect(await told(start)).toEqual([]);
    await slow.run('COMMIT');
    expect(ids(await after(start))).toEqual(['a', 'b']);
  });

  test('skips nothing when the later number commits first, wherever it is', async () => {
    await change(quick, 'a');
    await slow.run('BEGIN');
    // It has its number from here on, and writes later than the other one.
    await slow.query('SELECT pg_current_xact_id()::text AS xid');
    await change(quick, 'b');
    await change(slow, 'c');
    const seen = await told(start);
    expect(seen).not.toContain('b');
    const from = seen.length === 0 ? start : (await store.after(userId, start, 1)).rows[0]!;
    await slow.run('COMMIT');
    expect(ids(await after(from)).filter((id) => id !== 'a')).toEqual(['c', 'b']);
  });

  test('receives an object that two change at once as the later one leaves it', async () => {
    await change(quick, 'a');
    const rows = await after(start);
    await slow.run('BEGIN');
    await change(slow, 'a');
    expect(await told(rows.at(-1)!)).toEqual([]);
    await slow.run('COMMIT');
    expect(ids(await after(rows.at(-1)!))).toEqual(['a']);
  });

  test('continues after a transaction that was rolled back', async () => {
    await slow.run('BEGIN');
    await change(slow, 'a');
    await change(quick, 'b');
    await slow.run('ROLLBACK');
    expect(ids(await after(start))).toEqual(['b']);
  });

  test('begins before everything that is not committed yet', async () => {
    await slow.run('BEGIN');
    await change(slow, 'a');
    const { horizon: xid } = await store.now();
    await change(quick, 'b');
    await slow.run('COMMIT');
    expect(ids(await after({ xid, kind: '', id: '' }))).toEqual(['a', 'b']);
  });

  test('finds its page by the index, however many rows there are', async () => {
    await quick.run(`INSERT INTO changes (user_id, kind, id, deleted, at)
      SELECT ('00000000-0000-7000-8000-' || lpad((n % 50)::text, 12, '0'))::uuid, 'game', n::text, false, now()
      FROM generate_series(1, 50000) n; ANALYZE changes`);
    const plan = await quick.query<{ 'QUERY PLAN': string }>(`EXPLAIN
      SELECT c.* FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS horizon) now
      LEFT JOIN LATERAL (
        SELECT * FROM changes WHERE user_id = '00000000-0000-7000-8000-000000000007'
          AND (xid, kind, id) > ('1'::text::xid8, 'game'::text, '5'::text) AND xid < now.horizon
        ORDER BY xid, kind, id LIMIT 21) c ON true
      ORDER BY c.xid, c.kind, c.id`);
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).toMatch(
      /Index Scan using changes_user_id_xid_kind_id_idx[^]*Index Cond: \(\(user_id[^]*xid, kind, id\)/,
    );
    expect(text).not.toContain('Seq Scan');
  });
});
