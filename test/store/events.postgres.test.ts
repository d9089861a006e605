import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Place, type Placed, USER_EVENT_TYPES } from '../../src/features/events/event.row.js';
import { EventsStore } from '../../src/features/events/events.store.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import { type Landmark, START } from '../../src/platform/events/landmark.js';
import { AnnouncementsStore } from '../../src/platform/events/announcements.store.js';
import { Announcer } from '../../src/platform/events/announcer.js';
import { Background } from '../../src/platform/process/background.js';
import { PubSub } from '../../src/platform/events/pubsub.js';
import { freshDatabase, type TestDatabase } from '../support/databases.js';
import { fillEveryTable } from '../support/rows.js';
import { onServer } from '../support/scale.js';
import { sentBy } from '../support/statements.js';

/** The log of events as its readers see it: in order, without gaps, however long a transaction takes to commit. */

const BEGINNING: Place = { ...START, part: 0 };
const INSERT = `INSERT INTO events (user_id, type, subject) VALUES ($1::uuid, 'profileChanged', $2)`;
const readerOf = (id: string) => ({ of: 'user' as const, id, types: USER_EVENT_TYPES });

onServer('the log of events', () => {
  let database: TestDatabase;
  let store: EventsStore;
  let slow: SqlSession;
  let quick: SqlSession;
  let user: string;

  beforeAll(async () => {
    database = await freshDatabase();
    store = new EventsStore(new PrismaService(database));
    const { databaseUrl } = database.place;
    slow = await openServerSession(databaseUrl!, 'slow');
    quick = await openServerSession(databaseUrl!, 'quick');
  });
  afterAll(async () => {
    await slow?.close();
    await quick?.close();
    await database?.close();
  });
  beforeEach(() => (user = randomUUID()));

  const write = (session: SqlSession, subject: string) => session.query(INSERT, [user, subject]);
  const read = (place: Place, landmark: Landmark = place, until: Landmark | null = null) =>
    store.of(readerOf(user), { place, landmark, until }, 100);
  const seen = async (from: Place = BEGINNING) => (await read(from)).events;
  const subjects = (events: readonly Placed<Place>[]) => events.map(({ event }) => event.subject);
  /** The first events up to this number: transactions of other databases of the server delay them, too. */
  async function told(many: number, from?: Place): Promise<readonly Placed<Place>[]> {
    for (;;) {
      const events = await seen(from);
      if (events.length >= many) return events;
      await pause(20);
    }
  }

  test('holds back what was committed after an open transaction until that ends, and then reports everything', async () => {
    await write(quick, 'before');
    const [before] = await told(1);
    await slow.run('BEGIN');
    await write(slow, 'slow');
    for (const subject of ['a', 'b', 'c']) await write(quick, subject);
    await pause(1000);
    expect(await seen(before!.place)).toEqual([]);
    await slow.run('COMMIT');
    const events = await told(4, before!.place);
    expect(subjects(events)).toEqual(['slow', 'a', 'b', 'c']);
    for (const [i, { place }] of events.entries()) expect(await seen(place)).toEqual(events.slice(i + 1));
  });

  test('loses nothing of a transaction that wrote late after taking its number, nor of one rolled back', async () => {
    await slow.run('BEGIN');
    await slow.query('SELECT pg_current_xact_id()::text AS xid');
    await write(quick, 'a');
    await write(slow, 'late');
    expect(await seen()).toEqual([]);
    await slow.run('COMMIT');
    expect(subjects(await told(2))).toEqual(['a', 'late']);
    const last = (await seen()).at(-1)!.place;
    await slow.run('BEGIN');
    await write(slow, 'never');
    await write(quick, 'b');
    await slow.run('ROLLBACK');
    expect(subjects(await told(1, last))).toEqual(['b']);
  });

  test('keeps the order of a game, though an earlier number may belong to a later change', async () => {
    const { gameId } = await fillEveryTable(database.prisma);
    const [{ first_id: first } = { first_id: '' }] = await quick.query<{ first_id: string }>(
      'SELECT first_id::text FROM games WHERE id = $1::uuid',
      [gameId],
    );
    user = first;
    const [{ end } = { end: 0 }] = await quick.query<{ end: number }>(
      'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS end',
    );
    const before = () =>
      quick.query(`SELECT WHERE pg_snapshot_xmin(pg_current_snapshot())::text::bigint < ${end}`);
    while ((await before()).length > 0) await pause(20);
    const last = (await seen()).at(-1)!.place;
    const act = async (session: SqlSession, version: number) => {
      await session.query(
        `UPDATE games SET version = ${version} WHERE id = $1::uuid AND version = ${version - 1} RETURNING 1`,
        [gameId],
      );
      await session.query(
        `INSERT INTO events (user_id, game_id, version, steps) VALUES ($1::uuid, $2::uuid, ${version}, 1)`,
        [user, gameId],
      );
      await session.query(
        `INSERT INTO game_events (game_id, seq, type, data, at, hash) VALUES ($1::uuid, ${version}, 'reminder', '{}', now(), '')`,
        [gameId],
      );
    };
    const [{ version } = { version: 0 }] = await quick.query<{ version: number }>(
      'SELECT version FROM games WHERE id = $1::uuid',
      [gameId],
    );
    await slow.run('BEGIN');
    await slow.query('SELECT pg_current_xact_id()::text AS xid');
    await act(quick, version + 1);
    await act(slow, version + 2);
    await slow.run('COMMIT');
    await act(quick, version + 3);
    const events = await told(3, last);
    expect(events.map(({ event }) => event.version)).toEqual([1, 2, 3].map((more) => version + more));
  });

  test('reaches listeners of every process for this database, and no others', async () => {
    const pubsub = new PubSub();
    const background = new Background();
    const prisma = new PrismaService(database);
    const log = new AnnouncementsStore(prisma);
    const announcer = new Announcer(prisma, log, pubsub, background, { outboxPollMs: 10, outboxNudgeMs: 0 });
    await announcer.onApplicationBootstrap();
    background.onApplicationBootstrap();
    const [own, other] = [await announcer.listen(user), await announcer.listen(randomUUID())];
    await Promise.all([own.next(), other.next()]);
    const none = other.next();
    await slow.run('BEGIN');
    await write(slow, 'slow');
    const woken = own.next();
    expect(await Promise.race([woken, pause(200, 'held up')])).toBe('held up');
    await slow.run('COMMIT');
    expect(await Promise.race([woken, pause(60_000, 'too late', { ref: false })])).toMatchObject({
      done: false,
    });
    await own.return!();
    await other.return!();
    expect(await none).toMatchObject({ done: true });
    await background.onApplicationShutdown();
  });

  test('leaves out conditional moves, however many of their changes precede', async () => {
    await quick.run(`INSERT INTO events (user_id, game_id, steps)
      SELECT '${user}', gen_random_uuid(), 0 FROM generate_series(1, 200)`);
    await write(quick, 'a');
    expect(subjects(await told(1))).toEqual(['a']);
  });

  test('finds a page of a user by an index, however many rows others have', async () => {
    await quick.run(`INSERT INTO events (user_id, other_id, type)
      SELECT ('00000000-0000-7000-8000-' || lpad((n % 500)::text, 12, '0'))::uuid,
             ('00000000-0000-7000-8000-' || lpad((n % 499)::text, 12, '0'))::uuid, 'profileChanged'
      FROM generate_series(1, 50000) n; ANALYZE events`);
    const own = '00000000-0000-7000-8000-000000000007';
    const [read] = await sentBy(() =>
      store.of(readerOf(own), { place: { tide: 5n, id: 7n, part: 0 }, landmark: START, until: null }, 10),
    );
    const plan = await quick.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN ${read!.text}`,
      read!.values as string[],
    );
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    for (const column of ['user_id', 'other_id']) {
      expect(text).toMatch(new RegExp(`Index Scan using events_${column}_tide_id_idx`));
    }
    expect(await store.forget(new Date(0), 1000)).toBe(0);
  });
});
