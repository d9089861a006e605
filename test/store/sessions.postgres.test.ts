import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { v7 as uuid } from 'uuid';
import { Sessions } from '../../src/features/auth/sessions.js';
import { PersonalTokensStore } from '../../src/features/auth/personal-tokens.store.js';
import { SessionsStore } from '../../src/features/auth/sessions.store.js';
import { parseConfig } from '../../src/config.js';
import { Background } from '../../src/platform/process/background.js';
import { PrismaService, type Transaction } from '../../src/platform/database/prisma.service.js';
import { freshDatabase, type TestDatabase } from '../support/databases.js';
import { StoppedTime } from '../support/stopped-time.js';

// Both databases: each driver returns times and bytes in its own way.

const DAY_MS = 86_400_000;
const SECRET = 'a secret of a test that has at least 32 bytes';
const config = parseConfig({
  TOKEN_SECRET: SECRET,
  SEED_SECRET: `${SECRET}!`,
  SIGNING_SECRET: `${SECRET}?`,
  SESSION_DAYS: '10',
});
const REFUSED = { code: 'INVALID_REFRESH_TOKEN' };

let database: TestDatabase;
let prisma: PrismaService;
let store: SessionsStore;
beforeAll(async () => {
  database = await freshDatabase();
  prisma = new PrismaService(database);
  store = new SessionsStore(prisma);
});
afterAll(() => database.close());

const time = new StoppedTime();
/** The sessions as another process of the server sees them. */
const newProcess = () => new Sessions(config, store, new PersonalTokensStore(prisma), time, new Background());

async function newUser(): Promise<string> {
  const id = uuid();
  const data = { id, username: id, displayName: 'Ann', passwordHash: '', createdAt: time.now() };
  await database.prisma.user.create({ data });
  return id;
}

const open = async (sessions: Sessions, userId: string) =>
  sessions.open({ userId, passwordHash: '' }, 'curl/8.5.0');

async function opened(sessions: Sessions) {
  const session = (await open(sessions, await newUser()))!;
  const viewer = { userId: session.userId, sessionId: session.id, expiresAt: session.expiresAt };
  return { ...session, viewer };
}

type Viewer = Awaited<ReturnType<typeof opened>>['viewer'];

describe('a session', () => {
  it('lasts as long as it is renewed in time, and not longer', async () => {
    const sessions = newProcess();
    const { refreshToken, viewer } = await opened(sessions);
    time.forward(10 * DAY_MS - 1);
    const renewed = await sessions.renew(refreshToken);
    expect(renewed.expiresAt).toEqual(new Date(time.now().getTime() + 10 * DAY_MS));
    time.forward(10 * DAY_MS - 1);
    expect(await sessions.isLive(viewer)).toBe(true);
    time.forward(5000);
    expect(await sessions.isLive(viewer)).toBe(false);
    await expect(sessions.renew(renewed.refreshToken)).rejects.toMatchObject(REFUSED);
  });

  it('is live only for its own user', async () => {
    const sessions = newProcess();
    const { viewer } = await opened(sessions);
    expect(await sessions.isLive({ ...viewer, userId: await newUser() })).toBe(false);
  });

  it('that ends here is over at once, and within a second in a process that hears of no ends', async () => {
    const [here, elsewhere] = [newProcess(), newProcess()];
    const { viewer } = await opened(here);
    expect([await here.isLive(viewer), await elsewhere.isLive(viewer)]).toEqual([true, true]);
    await here.end(viewer);
    expect(await here.isLive(viewer)).toBe(false);
    time.forward(1000);
    expect(await elsewhere.isLive(viewer)).toBe(false);
  });

  it('that ends elsewhere is heard of', async () => {
    const ended = (await opened(newProcess())).viewer;
    const since = new Date(time.now().getTime() - 1);
    expect(await store.endedSince(since)).toEqual([]);
    await newProcess().end(ended);
    expect(await store.endedSince(since)).toEqual([{ sessionId: ended.sessionId, userId: ended.userId }]);
    expect(await store.endedSince(time.now())).toEqual([]);
  });

  it('is opened only with the password that was checked', async () => {
    const [sessions, userId] = [newProcess(), await newUser()];
    expect(await sessions.open({ userId, passwordHash: 'another' }, '')).toBeNull();
    expect(await open(sessions, userId)).not.toBeNull();
  });

  it('notes when it was used last', async () => {
    const { viewer } = await opened(newProcess());
    const at = time.now();
    await store.noteUses(new Map([[viewer.sessionId, at]]));
    const [listed] = await newProcess().listed(viewer.userId);
    expect(listed).toMatchObject({ id: viewer.sessionId, device: 'curl/8.5.0', lastUsedAt: at });
  });

  it('leaves no personal token behind that is being made while all end', async () => {
    const sessions = newProcess();
    const { userId, viewer } = await opened(sessions);
    const expiresAt = new Date(time.now().getTime() + DAY_MS);
    const token = () => ({ id: uuid(), name: 'x', scopes: ['games:read'], tokenHash: uuid(), createdAt: time.now(), expiresAt }); // prettier-ignore
    let ending: Promise<number> | undefined;
    // What addPersonal holds until its row is there for others.
    await database.prisma.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM users JOIN sessions ON user_id = users.id WHERE users.id = ${userId}::uuid FOR SHARE`;
      ending = newProcess().endAll(userId);
      await pause(300);
      const { scopes, ...row } = token();
      await tx.session.create({ data: { ...row, userId, kind: 'personal', scopes: scopes.join(' ') } });
    });
    expect(await ending).toBe(2);
    expect(await sessions.personal(userId)).toEqual([]);
    await expect(sessions.addPersonal(token(), viewer, async () => undefined)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });

  it.each<[string, (one: Sessions, tx: Transaction, viewer: Viewer, refreshToken: string) => Promise<void>]>([
    ['open', (sessions, tx, viewer) => sessions.assertOpenIn(tx, viewer)],
    ['confirmed', (sessions, tx, viewer) => sessions.assertConfirmedIn(tx, viewer)],
    ['that of its newest token', (sessions, tx, viewer, token) => sessions.assertNewest(tx, viewer, token)],
  ])('that is %s in a transaction does not end before that', async (_, holds) => {
    const sessions = newProcess();
    const { viewer, refreshToken } = await opened(sessions);
    const order: string[] = [];
    let ending: Promise<unknown> | undefined;
    await database.prisma.$transaction(async (tx) => {
      await holds(sessions, tx, viewer, refreshToken);
      ending = newProcess()
        .end(viewer)
        .then(() => order.push('ended'));
      await pause(300);
      order.push('stored');
    });
    await ending;
    expect(order).toEqual(['stored', 'ended']);
    await database.prisma.$transaction((tx) =>
      expect(holds(sessions, tx, viewer, refreshToken)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' }),
    );
  });

  it('counts as confirmed for ten minutes after the password was given', async () => {
    const sessions = newProcess();
    const { viewer } = await opened(sessions);
    time.forward(599_999);
    await expect(sessions.assertConfirmed(viewer)).resolves.toBeUndefined();
    time.forward(1);
    await expect(sessions.assertConfirmed(viewer)).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' });
    expect(await sessions.confirm(viewer)).toEqual(new Date(time.now().getTime() + 600_000));
    await expect(sessions.assertConfirmed(viewer)).resolves.toBeUndefined();
  });

  it('counts when all are ended, unless it was over before', async () => {
    const sessions = newProcess();
    const { userId, viewer } = await opened(sessions);
    await open(sessions, userId);
    await open(sessions, userId);
    await sessions.end(viewer);
    expect(await sessions.endAll(userId)).toBe(2);
    expect(await sessions.endAll(userId)).toBe(0);
  });

  it('is refused to a user who closes their account at this moment', async () => {
    const [userId, sessions] = [await newUser(), newProcess()];
    let opening: Promise<unknown> | undefined;
    await database.prisma.$transaction(async (tx) => {
      await tx.user.update({ where: { id: userId }, data: { closedAt: time.now() } });
      opening = open(sessions, userId);
      for (let i = 0; i < 50; i += 1) await tx.$queryRaw`SELECT 1`;
    });
    expect(await opening).toBeNull();
    expect(await open(sessions, userId)).toBeNull();
    expect(await database.prisma.session.count({ where: { userId } })).toBe(0);
  });

  it('can be ended twice', async () => {
    const sessions = newProcess();
    const { viewer } = await opened(sessions);
    await sessions.end(viewer);
    await expect(sessions.end(viewer)).resolves.toBe(0);
  });
});

describe('refresh tokens', () => {
  it('are stored only as hashes', async () => {
    const { id, refreshToken } = await opened(newProcess());
    expect(Buffer.from(refreshToken, 'base64url')).toHaveLength(32);
    const rows = await database.prisma.refreshToken.findMany({ where: { sessionId: id } });
    expect(rows.map(({ hash }) => hash)).toEqual([createHash('sha256').update(refreshToken).digest('hex')]);
  });

  it('are the same for all processes that use one at once', async () => {
    const { id, refreshToken } = await opened(newProcess());
    const answers = await Promise.all(Array.from({ length: 20 }, () => newProcess().renew(refreshToken)));
    const { expiresAt } = await database.prisma.session.findUniqueOrThrow({ where: { id } });
    for (const answer of answers) expect(answer).toMatchObject({ id, expiresAt });
    const next = new Set(answers.map((answer) => answer.refreshToken));
    expect(next.size).toBe(1);
    expect(await database.prisma.refreshToken.count({ where: { sessionId: id } })).toBe(2);
    expect((await newProcess().renew([...next][0]!)).id).toBe(id);
  });

  const AT_ONCE = 9_999;
  const LATE = 10_000;
  /** The uses of a session: when, of which of its tokens (0 is the first), and whether that is answered by the next. */
  type Use = readonly [ms: number, token: number, answered: 'next' | 'refused'];
  it.each<[sequence: string, ...uses: Use[]]>([
    ['is answered alike when it is repeated at once', [0, 0, 'next'], [1, 0, 'next'], [AT_ONCE, 0, 'next']],
    [
      'is answered alike for the newest tokens',
      [0, 0, 'next'],
      [1, 1, 'next'],
      [2, 1, 'next'],
      [3, 2, 'next'],
    ],
    ['ends the session when it is repeated late', [0, 0, 'next'], [LATE, 0, 'refused'], [LATE, 1, 'refused']],
    ['is not prolonged by being repeated', [0, 0, 'next'], [AT_ONCE, 0, 'next'], [LATE, 0, 'refused']],
    [
      'ends the session once the next is used',
      [0, 0, 'next'],
      [1, 1, 'next'],
      [2, 0, 'refused'],
      [3, 2, 'refused'],
    ],
    ['ends it also before anything else is late', [0, 0, 'next'], [1, 1, 'next'], [2, 2, 'next'], [3, 0, 'refused'], [3, 3, 'refused']], // prettier-ignore
    [
      'ends it later as well',
      [0, 0, 'next'],
      [LATE, 1, 'next'],
      [2 * LATE, 0, 'refused'],
      [2 * LATE, 2, 'refused'],
    ],
    ['is refused after the end', [0, 0, 'next'], [LATE, 0, 'refused'], [LATE + 1, 0, 'refused']],
  ])('a use %s', async (_, ...uses) => {
    const { refreshToken, viewer } = await opened(newProcess());
    const tokens = [refreshToken];
    const begin = time.now().getTime();
    for (const [ms, token, answered] of uses) {
      time.forward(begin + ms - time.now().getTime());
      const answer = newProcess().renew(tokens[token]!);
      if (answered === 'refused') await expect(answer).rejects.toMatchObject(REFUSED);
      else expect((await answer).refreshToken).toBe((tokens[token + 1] ??= (await answer).refreshToken));
    }
    const isOpen = uses.every(([, , answered]) => answered === 'next');
    expect(await newProcess().isLive(viewer)).toBe(isOpen);
  });

  it('end no session when they are unknown', async () => {
    const sessions = newProcess();
    const { viewer } = await opened(sessions);
    await expect(sessions.renew('unknown')).rejects.toMatchObject(REFUSED);
    expect(await sessions.isLive(viewer)).toBe(true);
  });
});

describe('the sweep', () => {
  it('deletes ended sessions with their tokens, a limited number at a time', async () => {
    const sessions = newProcess();
    const over = await opened(sessions);
    await sessions.renew(over.refreshToken);
    time.forward(11 * DAY_MS);
    const ended = await opened(sessions);
    await sessions.end(ended.viewer);
    const live = await opened(sessions);

    time.forward(1);
    while ((await store.deleteEnded(time.now(), 2)) > 0);
    const ids = (await database.prisma.session.findMany()).map(({ id }) => id);
    expect(ids).toEqual([live.id]);
    expect(await database.prisma.refreshToken.count()).toBe(1);
    expect(await sessions.isLive(live.viewer)).toBe(true);
  });
});
