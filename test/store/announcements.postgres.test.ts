import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AnnouncementsStore, type LoggedChange } from '../../src/platform/events/announcements.store.js';
import type { Landmark } from '../../src/platform/events/landmark.js';
import { Announcer } from '../../src/platform/events/announcer.js';
import { Background } from '../../src/platform/process/background.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import { PubSub } from '../../src/platform/events/pubsub.js';
import { freshDatabase, type TestDatabase } from '../support/databases.js';
import { fillEveryTable } from '../support/rows.js';
import { onServer } from '../support/scale.js';

/** What the log announces: in order, without gaps, however long a transaction takes to commit. */

const INSERT = `INSERT INTO events (user_id, game_id, version, steps)
  VALUES (gen_random_uuid(), gen_random_uuid(), $1::integer, 1)`;

onServer('the announcements', () => {
  let database: TestDatabase;
  let prisma: PrismaService;
  let log: AnnouncementsStore;
  let slow: SqlSession;
  let quick: SqlSession;
  let start: Landmark;

  beforeAll(async () => {
    database = await freshDatabase();
    prisma = new PrismaService(database);
    log = new AnnouncementsStore(prisma);
    const { databaseUrl } = database.place;
    slow = await openServerSession(databaseUrl!, 'slow');
    quick = await openServerSession(databaseUrl!, 'quick');
  });
  afterAll(async () => {
    await slow?.close();
    await quick?.close();
    await database?.close();
  });
  beforeEach(async () => (start = await log.end()));

  const append = (session: SqlSession, version: number) => session.query(INSERT, [String(version)]);
  const versions = (rows: readonly LoggedChange[]) => rows.map(({ version }) => version);
  /** This many entries after a position: transactions of other databases of the server delay them, too. */
  async function told(position: Landmark, many: number): Promise<readonly LoggedChange[]> {
    for (;;) {
      const rows = await log.after(position);
      if (rows!.length >= many) return rows!;
      await pause(20);
    }
  }

  const openedSeek = async (): Promise<string> => (await fillEveryTable(database.prisma)).gameId;

  test('returns what follows a position, once', async () => {
    await append(quick, 1);
    await append(quick, 2);
    const rows = await told(start, 2);
    expect(versions(rows)).toEqual([1, 2]);
    expect(await log.after(rows.at(-1)!)).toEqual([]);
    expect(versions((await log.after(rows[0]!))!)).toEqual([2]);
  });

  test('holds back what was committed after an open transaction, and then returns both', async () => {
    await slow.run('BEGIN');
    await append(slow, 1);
    await append(quick, 2);
    // The lower number is not there yet: passing on the higher one now would skip it.
    expect(await log.after(start)).toEqual([]);
    await slow.run('COMMIT');
    expect(versions(await told(start, 2))).toEqual([1, 2]);
  });

  test('skips nothing when numbers are assigned in another order than transactions began', async () => {
    await slow.run('BEGIN');
    await slow.query('SELECT pg_current_xact_id()::text AS xid');
    await append(quick, 1);
    await append(slow, 2);
    expect(await log.after(start)).toEqual([]);
    await slow.run('COMMIT');
    const rows = await told(start, 2);
    expect(versions(rows)).toEqual([1, 2]);
    expect(await log.after(rows.at(-1)!)).toEqual([]);
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
    const end = await log.end();
    await append(quick, 2);
    await slow.run('COMMIT');
    expect(versions(await told(end, 2))).toEqual([1, 2]);
  });

  test('is read page by page until nothing is left, however much there is', async () => {
    const gameId = randomUUID();
    const pubsub = new PubSub();
    const background = new Background();
    const announcer = new Announcer(prisma, log, pubsub, background, { outboxPollMs: 10, outboxNudgeMs: 0 });
    await announcer.onApplicationBootstrap();
    background.onApplicationBootstrap();
    const watching = pubsub.subscribe(`game.${gameId}`, 0);
    await watching.next();
    await quick.run(`INSERT INTO events (user_id, game_id, version, steps)
      SELECT gen_random_uuid(), gen_random_uuid(), 1, 1 FROM generate_series(1, 10000);
      INSERT INTO events (user_id, game_id, version, steps) VALUES (gen_random_uuid(), '${gameId}', 2, 1)`);
    const late = pause(60_000, 'too late', { ref: false });
    expect(await Promise.race([watching.next(), late])).toEqual({ done: false, value: { version: 2 } });
    await background.onApplicationShutdown();
  });

  test('names games for their versions only, and seeks when they open or close', async () => {
    const { gameId } = await fillEveryTable(database.prisma);
    await database.prisma.game.update({
      where: { id: gameId },
      data: { firstPlan: [], plans: randomUUID() },
    });
    await database.prisma.challenge.update({
      where: { id: gameId },
      data: { creatorClientSeed: '1'.repeat(32) },
    });
    const { tide, id } = start;
    const many = await database.prisma.event.count({
      where: { OR: [{ tide: { gt: tide } }, { tide, id: { gt: id } }] },
    });
    const rows = (await told(start, many)).map(({ gameId: game, version, announcedSeek, isOpening }) => ({
      ...{ game, version, announcedSeek, isOpening },
    }));
    const about = rows.filter(({ game, announcedSeek }) => game === gameId || announcedSeek === gameId);
    const game = { game: gameId, version: 2, announcedSeek: null, isOpening: false };
    const seek = { game: null, version: null, announcedSeek: gameId, isOpening: true };
    expect(about.filter(({ game: of }) => of !== null)).toEqual([game]);
    expect(about.filter(({ game: of }) => of === null)).toEqual([seek]);
  });

  test('tell listeners once of what this process has announced itself, and then of what others do', async () => {
    const pubsub = new PubSub();
    const background = new Background();
    const announcer = new Announcer(prisma, log, pubsub, background, { outboxPollMs: 10, outboxNudgeMs: 0 });
    await announcer.onApplicationBootstrap();
    background.onApplicationBootstrap();
    const lobby = pubsub.subscribeSeeks();
    expect(await lobby.next()).toMatchObject({ value: { id: null } });
    const own = await openedSeek();
    const others = await openedSeek();
    pubsub.publishSeek(own, true);
    expect(await lobby.next()).toMatchObject({ value: { id: own } });
    expect(await lobby.next()).toMatchObject({ value: { id: others } });
    await database.prisma.challenge.update({
      where: { id: own },
      data: { status: 'cancelled', gameId: null },
    });
    expect(await lobby.next()).toMatchObject({ value: { id: own } });
    await background.onApplicationShutdown();
  });

  test('are read by one statement a poll, however many listen to users and games', async () => {
    const pubsub = new PubSub();
    const announcer = new Announcer(prisma, log, pubsub, new Background(), {
      outboxPollMs: 10,
      outboxNudgeMs: 0,
    });
    await announcer.onApplicationBootstrap();
    for (let i = 0; i < 20; i++) {
      await (await announcer.listen(randomUUID())).next();
      await pubsub.subscribe(`game.${randomUUID()}`, 0).next();
    }
    const poll = () => (announcer as unknown as { poll: () => Promise<void> }).poll();
    let sent = 0;
    const reading = log.after.bind(log);
    log.after = (position) => {
      sent += 1;
      return reading(position);
    };
    await poll();
    log.after = reading;
    expect(sent).toBe(1);
  });

  test('are looked for once more after a nudge that found nothing, and only where anybody listens', async () => {
    const pubsub = new PubSub();
    const background = new Background();
    const config = { outboxPollMs: 60_000, outboxNudgeMs: 20 };
    const announcer = new Announcer(prisma, log, pubsub, background, config);
    await announcer.onApplicationBootstrap();
    background.onApplicationBootstrap();
    let sent = 0;
    const reading = log.after.bind(log);
    log.after = (position) => {
      sent += 1;
      return reading(position);
    };
    const nudge = () => (announcer as unknown as { nudge: (spacingMs: number) => void }).nudge(20);
    nudge();
    await pause(500);
    expect(sent).toBe(0);
    const watching = pubsub.subscribe(`game.${randomUUID()}`, 0);
    // An older transaction holds back what the nudge is for.
    await slow.run('BEGIN');
    await append(slow, 1);
    await append(quick, 2);
    nudge();
    await pause(1000);
    await slow.run('ROLLBACK');
    log.after = reading;
    expect(sent).toBe(2);
    await watching.return!();
    await background.onApplicationShutdown();
  });

  test('begin at the end of the log when the last one was lost, and let all listeners look again', async () => {
    await append(quick, 1);
    const [last] = await told(start, 1);
    const pubsub = new PubSub();
    const announcer = new Announcer(prisma, log, pubsub, new Background(), {
      outboxPollMs: 10,
      outboxNudgeMs: 0,
    });
    await announcer.onApplicationBootstrap();
    const poll = () => (announcer as unknown as { poll: () => Promise<void> }).poll();
    const [user, game] = [await announcer.listen(randomUUID()), pubsub.subscribe(`game.${randomUUID()}`, 7)];
    for (const heard of [user, game]) await heard.next();
    await poll();
    // Another event with its numbers.
    await quick.run(`DELETE FROM events WHERE (tide, id) = (${last!.tide}, ${last!.id})`);
    await quick.run(`INSERT INTO events (tide, id, user_id, type)
      VALUES (${last!.tide}, ${last!.id}, gen_random_uuid(), 'profileChanged')`);
    await poll();
    for (const heard of [user, game]) expect(await heard.next()).toEqual({ done: false, value: { version: 0, id: null } }); // prettier-ignore
    expect((await announcer.reached()).mark).not.toBe(last!.mark);
    await user.return!();
  });
});
