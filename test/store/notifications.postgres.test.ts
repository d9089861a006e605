import { randomUUID } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import {
  NOTICE_TYPES,
  type Notice,
  type NotificationKey,
} from '../../src/features/notifications/notification.row.js';
import type { Config } from '../../src/config.js';
import { Cursors } from '../../src/platform/contract/cursors.js';
import { NotificationsService } from '../../src/features/notifications/notifications.service.js';
import { NotificationsStore, type WalkKey } from '../../src/features/notifications/notifications.store.js';
import { Background } from '../../src/platform/process/background.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { freshDatabase, type TestDatabase } from '../support/databases.js';
import { StoppedTime } from '../support/stopped-time.js';

// Both databases: pages depend on sort order.

const DAY_MS = 86_400_000;
const LIMITS = { notificationDays: 180, readNotificationDays: 30, housekeepingSeconds: 3600 };
const CURSORS = new Cursors({ tokenSecret: 'unused' } as Config);

const STORED = NOTICE_TYPES.filter((type) => type !== 'yourTurn');

const time = new StoppedTime(new Date('2026-07-01T12:00:00.123Z'));
let database: TestDatabase;
let prisma: PrismaService;
let store: NotificationsStore;
let notifications: NotificationsService;
beforeAll(async () => {
  database = await freshDatabase();
  prisma = new PrismaService(database);
  store = new NotificationsStore(prisma);
  notifications = new NotificationsService(store, time, CURSORS, new Background(), LIMITS);
});
afterAll(() => database.close());

const notice = (more: Partial<Notice> = {}): Notice => ({
  userId: randomUUID(),
  gameId: uuid(),
  type: 'gameOver',
  data: {},
  at: time.now(),
  ...more,
});
const add = (...notices: Notice[]) => prisma.transaction((tx) => notifications.add(tx, notices));
const rowsOf = (userId: string) => store.ofUser(userId, false, null, 100);
const inDays = (days: number) => new Date(time.now().getTime() + days * DAY_MS);

describe('notifications', () => {
  it('replace those of their kind from their game, and are unread again', async () => {
    const first = notice({ data: { ply: 1, san: 'é "\\ ♞' } });
    const { userId, gameId } = first;
    await add(first);
    expect(await store.markRead(userId, { gameId }, time.now())).toBe(1);
    const unchanged = { userId, gameId, type: 'gameOver', createdAt: first.at };
    expect(await rowsOf(userId)).toEqual([{ ...unchanged, data: first.data, readAt: time.now() }]);

    const at = new Date(time.now().getTime() + 1);
    await add({ ...first, data: { ply: 3 }, at });
    expect(await rowsOf(userId)).toEqual([{ ...unchanged, data: { ply: 3 }, createdAt: at, readAt: null }]);
  });

  it('do not replace those of another kind, another game or another user', async () => {
    const one = notice();
    const others = [
      { ...one, type: 'drawOffer' as const },
      { ...one, gameId: uuid() },
      { ...one, userId: randomUUID() },
    ];
    await add(one, ...others);
    expect(await rowsOf(one.userId)).toHaveLength(3);
    expect(await rowsOf(others[2]!.userId)).toHaveLength(1);
  });

  it('of one kind in one act keep the later', async () => {
    const one = notice({ data: { n: 1 } });
    await add(one, { ...one, data: { n: 2 } });
    expect((await rowsOf(one.userId)).map(({ data }) => data)).toEqual([{ n: 2 }]);
  });

  it('may be empty', async () => {
    const before = await database.prisma.notification.count();
    await add();
    expect(await database.prisma.notification.count()).toBe(before);
  });

  it('are stored with their act, and not without it', async () => {
    const one = notice();
    const failing = prisma.transaction(async (tx) => {
      await notifications.add(tx, [one]);
      throw new Error('no act');
    });
    await expect(failing).rejects.toThrow('no act');
    expect(await rowsOf(one.userId)).toEqual([]);
  });

  it('that have been answered are read, and only they, once', async () => {
    const settle = (answered: Notice[], at: Date) =>
      prisma.transaction((tx) => notifications.settle(tx, answered, at));
    const one = notice();
    const near = [
      { ...one, type: 'challenge' as const },
      { ...one, gameId: uuid() },
      { ...one, userId: randomUUID() },
    ];
    await add(one, ...near);
    await settle([], inDays(1));
    await settle([one, notice()], inDays(2));
    await settle([one], inDays(3));
    const read = async ({ userId, gameId, type }: Notice) =>
      (await rowsOf(userId)).find((row) => row.gameId === gameId && row.type === type)!.readAt;
    expect(await read(one)).toEqual(inDays(2));
    for (const other of near) expect(await read(other)).toBeNull();
    await settle(near, inDays(4));
    for (const other of near) expect(await read(other)).toEqual(inDays(4));
  });

  it('of many simultaneous acts, in any order, with concurrent readers, are all stored', async () => {
    const [ann, ben] = [randomUUID(), randomUUID()];
    const games = Array.from({ length: 4 }, () => uuid());
    const all = [ann, ben].flatMap((userId) =>
      games.flatMap((gameId) => STORED.map((type) => notice({ userId, gameId, type }))),
    );
    const shuffled = (n: number) =>
      [...all].sort((a, b) => (rank(a, n) < rank(b, n) ? -1 : 1)).slice(0, all.length - 1);
    const rank = ({ gameId, type }: Notice, n: number) => [...`${gameId}${type}`].reverse().join('').slice(n);
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        n % 3 === 0 ? store.markRead(ann, { before: time.now() }, time.now()) : add(...shuffled(n)),
      ),
    );
    const each = games.length * STORED.length;
    expect([(await rowsOf(ann)).length, (await rowsOf(ben)).length]).toEqual([each, each]);
  });
});

describe('a list', () => {
  const KEYS = (['gameOver', 'message', 'timeGiven'] as const).flatMap((type) =>
    ['1', '2', '3'].map((digit) => ({ gameId: `0${digit}0e0000-0000-7000-8000-000000000000`, type })),
  );

  async function pages(userId: string, size: number, unread = false): Promise<NotificationKey[]> {
    const seen: NotificationKey[] = [];
    for (let rows = await store.ofUser(userId, unread, null, size); rows.length > 0;) {
      seen.push(...rows.map(({ gameId, type }) => ({ gameId, type })));
      rows = await store.ofUser(userId, unread, rows.at(-1)!, size);
    }
    return seen;
  }

  const descending = (a: NotificationKey, b: NotificationKey) =>
    `${a.gameId} ${a.type}` < `${b.gameId} ${b.type}` ? 1 : -1;

  it.each([1, 2, 4, 9])('of one time is complete and in order, in pages of %d', async (size) => {
    const userId = randomUUID();
    const older = { gameId: uuid(), type: 'rematch' as const };
    await add(...KEYS.map((key) => notice({ userId, ...key })));
    await add(notice({ userId, ...older, at: inDays(-1) }), notice());
    expect(await pages(userId, size)).toEqual([...[...KEYS].sort(descending), older]);
  });

  it('of unread ones omits the read ones', async () => {
    const userId = randomUUID();
    await add(...KEYS.map((key) => notice({ userId, ...key })));
    expect(await store.markRead(userId, { keys: KEYS.slice(0, 4) }, time.now())).toBe(4);
    expect(await pages(userId, 2, true)).toEqual(KEYS.slice(4).sort(descending));
    expect(await store.countUnread(userId, 100)).toBe(5);
    expect(await store.countUnread(userId, 3)).toBe(3);
  });
});

describe('marking as read', () => {
  it('includes the given time itself, and nothing later', async () => {
    const userId = randomUUID();
    const [early, late] = [notice({ userId }), notice({ userId, at: new Date(time.now().getTime() + 1) })];
    await add(early, late);
    expect(await store.markRead(userId, { before: early.at }, inDays(1))).toBe(1);
    const readAts = (await rowsOf(userId)).map(({ readAt }) => readAt);
    expect(readAts).toEqual([null, inDays(1)]);
  });

  it('has no effect on what is already read, and keeps the first time', async () => {
    const one = notice();
    await add(one);
    const { userId, gameId } = one;
    const marked = [
      await store.markRead(userId, { gameId }, inDays(1)),
      await store.markRead(userId, { gameId }, inDays(2)),
      await store.markRead(userId, { keys: [one] }, inDays(2)),
    ];
    expect(marked).toEqual([1, 0, 0]);
    expect((await rowsOf(userId))[0]!.readAt).toEqual(inDays(1));
  });

  it('affects one user only', async () => {
    const one = notice();
    await add(one, { ...one, userId: randomUUID() });
    const stranger = randomUUID();
    for (const some of [{ keys: [one] }, { gameId: one.gameId }, { before: inDays(1) }]) {
      expect(await store.markRead(stranger, some, time.now())).toBe(0);
    }
    expect((await rowsOf(one.userId))[0]!.readAt).toBeNull();
  });
});

describe('the sweep', () => {
  beforeEach(() => database.prisma.notification.deleteMany());

  const kept = async () =>
    (await database.prisma.notification.findMany({ orderBy: { createdAt: 'asc' } })).map(({ createdAt }) =>
      Math.round((createdAt.getTime() - time.now().getTime()) / DAY_MS),
    );

  async function addAged(ages: readonly number[], read: boolean): Promise<void> {
    const notices = ages.map((days) => notice({ at: inDays(-days) }));
    await add(...notices);
    if (!read) return;
    for (const { userId, gameId } of notices) await store.markRead(userId, { gameId }, time.now());
  }

  it('deletes read ones after 30 days, and all after 180 days', async () => {
    await addAged([0, 29, 30, 31, 179, 181], true);
    await addAged([1, 32, 178, 180, 182], false);
    await notifications.prune();
    expect(await kept()).toEqual([-180, -178, -32, -30, -29, -1, 0]);
    await notifications.prune();
    expect(await kept()).toHaveLength(7);
  });

  it('processes all rows in batches of a limited size', async () => {
    await addAged([1, 200, 200, 2, 200, 3, 200], false);
    const ages = { read: inDays(-30), any: inDays(-180) };
    const steps: WalkKey[] = [];
    for (let at = await store.prune(null, ages, 2); at !== null; at = await store.prune(at, ages, 2)) {
      steps.push(at);
    }
    expect(steps).toHaveLength(4);
    expect(await kept()).toEqual([-3, -2, -1]);
  });

  it('of nothing ends at once', async () => {
    const ages = { read: inDays(0), any: inDays(0) };
    expect(await store.prune(null, ages, 2)).toBeNull();
  });
});
