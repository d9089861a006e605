import { randomUUID } from 'node:crypto';
import { BEGINNING, CHANGE_KINDS, type Told, type ChangeRow } from '../../src/features/changes/change.row.js';
import { ChangesStore } from '../../src/features/changes/changes.store.js';
import { EventsStore } from '../../src/features/events/events.store.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import { freshDatabase, SERVER, type TestDatabase } from '../support/databases.js';
import { onEmbedded, onServer, rounds, SEED } from '../support/scale.js';
import { random } from '../support/random-games.js';
import { fillEveryTable, NEXT_VERSION } from '../support/rows.js';

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

const horizon = async (): Promise<bigint> => {
  const [{ xid }] = await database.prisma.$queryRaw<[{ xid: string }]>`
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xid`;
  return BigInt(xid);
};

const readerOf = (userId: string) => ({ userId, kinds: CHANGE_KINDS });

/** A user's rows with those of folded events. */
const all = async (userId: string) => {
  await store.fold(10_000);
  return database.prisma.change.findMany({
    where: { userId },
    orderBy: [{ kind: 'asc' }, { id: 'asc' }],
    select: { kind: true, id: true, deleted: true },
  });
};

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
      there('notification', `${gameId}:drawOffer`),
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
    // An imported game never changes; events tell what happens in games.
    const eventsOf = (name: string) => ({ imported_games: 2, games: 1 })[name] ?? 3;
    expect(triggers).toEqual(tables.map((name) => ({ name, events: eventsOf(name) })));
  });

  test('ignore what no one is shown', async () => {
    const { gameId } = await fillEveryTable(database.prisma);
    const { firstId: userId } = await database.prisma.game.findUniqueOrThrow({ where: { id: gameId } });
    const stamps = async () => {
      await store.fold(10_000);
      return database.prisma.$queryRaw`
        SELECT kind, id, xid::text FROM changes WHERE user_id = ${userId}::uuid ORDER BY 1, 2`;
    };
    const before = await stamps();
    await database.prisma.rating.updateMany({ where: { userId }, data: { listedUntil: null } });
    await database.prisma.vacation.updateMany({ where: { userId }, data: { settled: true } });
    await database.prisma.user.update({ where: { id: userId }, data: { passwordHash: 'other' } });
    await database.prisma.game.update({
      where: { id: gameId },
      data: { secondPlan: [], plans: randomUUID() },
    });
    expect(await stamps()).toEqual(before);
    await database.prisma.game.update({
      where: { id: gameId },
      data: { firstPlan: [], plans: randomUUID() },
    });
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
      await database.prisma.$queryRawUnsafe(NEXT_VERSION, gameId, version);
    }
    expect(await all(firstId)).toEqual(before);
  });
});

onEmbedded('a database that was restored in another cluster', () => {
  test('keeps all changes behind the present, and begins an empty log', async () => {
    await store.arrive();
    expect(await database.prisma.event.count()).toBeGreaterThan(0);
    // As after restoring a dump on another server: its numbers are far ahead.
    await database.prisma.$executeRaw`UPDATE changes SET xid = ${END.xid}::text::xid8 WHERE kind = 'profile'`;
    // More than are renumbered at once.
    for (let part = 0; part < 5; part++) {
      await database.prisma.$executeRaw`
        INSERT INTO changes SELECT gen_random_uuid(), 'game', i::text, ${END.xid}::text::xid8, i, false, now()
        FROM generate_series(1, 5000) i`;
    }
    // Unfolded events of before and after the restoration, whose numbers are ahead of the mark and behind it.
    const [restored, here] = [await fillEveryTable(database.prisma), await fillEveryTable(database.prisma)];
    await database.prisma.$executeRaw`UPDATE event_state SET cluster = 'elsewhere', folded_tide = 1000000,
      folded_id = (SELECT max(id) - 1 FROM events WHERE game_id = ${here.gameId}::uuid)`;
    await database.prisma.$executeRaw`UPDATE log_readers SET tide = 1000000`;
    await database.prisma
      .$executeRaw`INSERT INTO events (tide, id, user_id, other_id, game_id, version, steps)
      SELECT 1000001, 1, user_id, other_id, game_id, version, 1 FROM events
      WHERE game_id = ${restored.gameId}::uuid AND type IS NULL`;
    await database.prisma.$queryRawUnsafe(NEXT_VERSION, here.gameId, 3);
    await Promise.all([store.arrive(), store.arrive()]);
    for (const id of [restored.gameId, here.gameId]) {
      expect(await database.prisma.change.count({ where: { kind: 'game', id } })).toBe(2);
    }
    expect(await database.prisma.event.count()).toBe(0);
    const stands = await database.prisma.logReader.findMany({ select: { tide: true } });
    expect(stands).toEqual(stands.map(() => ({ tide: 0n })));
    const { firstId } = await fillEveryTable(database.prisma).then(({ gameId }) =>
      database.prisma.game.findUniqueOrThrow({ where: { id: gameId } }),
    );
    const { landmark } = await store.last(firstId);
    await store.arrive();
    expect((await store.after(readerOf(firstId), BEGINNING, 1, landmark)).stands).toBe(true);
    const ahead = await database.prisma.$queryRaw`
      SELECT kind FROM changes WHERE xid > pg_snapshot_xmax(pg_current_snapshot())`;
    expect(ahead).toEqual([]);
  });
});

// Long: it plays many random cases.
// Both databases: with a server also while transactions are open.
describe('folding', () => {
  const SLOW = SERVER === undefined ? 0 : 2;
  const next = random(SEED + 11);
  const slow: SqlSession[] = [];
  const open = new Set<SqlSession>();
  beforeAll(async () => {
    for (let i = 0; i < SLOW; i++)
      slow.push(await openServerSession(database.place.databaseUrl!, `slow ${i}`));
  });
  afterAll(() => Promise.all(slow.map((session) => session.close())));

  /** A reader that keeps of each game the newest version, as of when it was told of it. */
  class Mirror {
    readonly model = new Map<string, number>();
    private position: Told = BEGINNING;

    constructor(private readonly userId: string) {}

    async page(limit: number): Promise<boolean> {
      const { rows } = await store.after(readerOf(this.userId), this.position, limit);
      const games = rows.filter(({ kind }) => kind === 'game');
      for (const { id, deleted } of games) {
        const { version } = await database.prisma.game.findUniqueOrThrow({ where: { id } });
        if (deleted) this.model.delete(id);
        else this.model.set(id, version);
      }
      const key = ({ kind, id }: ChangeRow) => `${kind} ${id}`;
      expect(new Set(rows.map(key)).size).toBe(rows.length);
      this.position = rows.at(-1) ?? this.position;
      return rows.length === limit;
    }
  }

  test('at any moment changes nothing that readers see: they miss nothing, and get each change once', async () => {
    const games: { id: string; version: number; firstId: string; secondId: string }[] = [];
    for (let i = 0; i < 6; i++) {
      const { gameId } = await fillEveryTable(database.prisma);
      games.push(await database.prisma.game.findUniqueOrThrow({ where: { id: gameId } }));
    }
    const versions = new Map(games.map(({ id, version }) => [id, version]));
    const locked = new Map<SqlSession, string[]>();
    const free = () => games.filter(({ id }) => ![...locked.values()].flat().includes(id));
    const among = <T>(some: readonly T[]): T => some[next(some.length)]!;
    const mirrors = new Map(
      games.flatMap(({ firstId, secondId }) => [firstId, secondId]).map((id) => [id, new Mirror(id)]),
    );
    const move = async (run: (sql: string, values: string[]) => Promise<unknown>) => {
      const game = among(free());
      const version = versions.get(game.id)! + 1;
      versions.set(game.id, version);
      await run(NEXT_VERSION, [game.id, String(version)]);
      return game.id;
    };
    const acts: readonly (() => Promise<unknown>)[] = [
      () => move((sql, values) => database.prisma.$queryRawUnsafe(sql, ...values)),
      () => store.fold(1 + next(5)),
      () => Promise.all([store.fold(3), store.fold(3)]),
      () => among([...mirrors.values()]).page(1 + next(3)),
      () => among([...mirrors.values()]).page(1 + next(3)),
      async () => {
        if (slow.length === 0) return;
        const session = among(slow);
        if (!open.has(session)) {
          await session.run('BEGIN');
          // Half of them have their number from here on, and write later than others.
          if (next(2) === 0) await session.query('SELECT pg_current_xact_id()::text AS xid');
          open.add(session);
          locked.set(session, []);
        } else if (next(3) > 0 && free().length > 1) {
          locked.get(session)!.push(await move((sql, values) => session.query(sql, values)));
        } else {
          await session.run('COMMIT');
          open.delete(session);
          locked.delete(session);
        }
      },
    ];
    for (let i = 0; i < rounds(1500, 300); i++) await among(acts)();
    for (const session of open) await session.run('COMMIT');
    const [{ end }] = await database.prisma.$queryRaw<[{ end: string }]>`
      SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS end`;
    while ((await horizon()) < BigInt(end));
    for (const { id, firstId, secondId } of games) {
      for (const userId of [firstId, secondId]) {
        const mirror = mirrors.get(userId)!;
        while (await mirror.page(2));
        expect(mirror.model).toEqual(new Map([[id, versions.get(id)]]));
        const seen = (await store.after(readerOf(userId), BEGINNING, 1000)).rows;
        while ((await store.fold(1000)) > 0);
        expect((await store.after(readerOf(userId), BEGINNING, 1000)).rows).toEqual(seen);
      }
    }
  });

  test('keeps a deletion that came after the events', async () => {
    const [one, two, id] = [randomUUID(), randomUUID(), randomUUID()];
    await database.prisma.$executeRaw`
      INSERT INTO events (user_id, other_id, game_id, version, steps)
      VALUES (${one}::uuid, ${two}::uuid, ${id}::uuid, 1, 1)`;
    await database.prisma.$executeRaw`
      INSERT INTO changes (user_id, kind, id, xid, deleted, at)
      VALUES (${one}::uuid, 'game', ${id}, tide_of_events()::text::xid8, true, now())`;
    const told = async () =>
      (await store.after(readerOf(one), BEGINNING, 10)).rows.map(({ deleted }) => deleted);
    while ((await told()).length === 0);
    expect(await told()).toEqual([true]);
    while ((await store.fold(1000)) > 0);
    expect(await told()).toEqual([true]);
  });

  test('leaves out closed accounts', async () => {
    const { gameId } = await fillEveryTable(database.prisma);
    const { firstId, secondId } = await database.prisma.game.findUniqueOrThrow({ where: { id: gameId } });
    await database.prisma.user.update({ where: { id: firstId }, data: { closedAt: new Date() } });
    const kinds = async (userId: string) => (await all(userId)).map(({ kind }) => kind);
    while (!(await kinds(secondId)).includes('game'));
    expect(await kinds(firstId)).not.toContain('game');
  });

  test('comes before forgetting: an event that is not folded stays', async () => {
    while ((await store.fold(1000)) > 0);
    const events = new EventsStore(prisma);
    const { gameId } = await fillEveryTable(database.prisma);
    const left = () => database.prisma.event.count({ where: { gameId, type: null } });
    const later = new Date(Date.now() + 86_400_000);
    while ((await events.forget(later, 1000)) > 0);
    expect(await left()).toBe(1);
    while ((await left()) > 0) {
      await store.fold(1000);
      await events.forget(later, 1000);
    }
    expect(await database.prisma.change.count({ where: { kind: 'game', id: gameId } })).toBe(2);
  });
});

onServer('a reader', () => {
  let slow: SqlSession;
  let quick: SqlSession;
  let userId: string;
  let start: Told;

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
  async function after(position: Told): Promise<readonly ChangeRow[]> {
    const [now] = await quick.query<{ xid: string }>(
      'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS xid',
    );
    for (;;) {
      const seen = await horizon();
      const { rows } = await store.after(readerOf(userId), position, 100);
      if (seen >= BigInt(now!.xid)) return rows;
    }
  }

  /** The changes reported at this moment. */
  const told = async (position: Told) => ids((await store.after(readerOf(userId), position, 100)).rows);

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
    const from = seen.length === 0 ? start : (await store.after(readerOf(userId), start, 1)).rows[0]!;
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
    const { told: last } = await store.last(userId);
    await change(quick, 'b');
    await slow.run('COMMIT');
    expect(ids(await after(last))).toEqual(['a', 'b']);
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
