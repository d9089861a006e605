import { randomUUID } from 'node:crypto';
import { GamesStore } from '../../src/features/games/games.store.js';
import { KnownGames } from '../../src/features/games/known-games.js';
import { UsersStore } from '../../src/features/users/users.store.js';
import { Prisma } from '../../src/generated/prisma/client.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { freshDatabase, type TestDatabase } from '../support/databases.js';
import { fillEveryTable } from '../support/rows.js';

/** Rows that are read without Prisma's query builder are what it would read. */
// Both databases: each driver has types of its own.

let database: TestDatabase;
let gameId: string;
let games: GamesStore;
beforeAll(async () => {
  database = await freshDatabase();
  games = new GamesStore(new PrismaService(database), new KnownGames({ cacheMb: 128 }));
  ({ gameId } = await fillEveryTable(database.prisma));
});
afterAll(() => database.close());

/** Sums that only lists of games read. */
const NOT_READ = ['firstPlies', 'secondPlies', 'firstSeconds', 'secondSeconds'];
const at = new Date('2026-11-23T19:38:00.007Z');
const OPTIONS = { big: 2 ** 53 - 1, small: -0.1, deep: [[{ a: null }]], text: '\\u0041 \t' };
const PLAN = [{ when: 'e7e5', reply: 'g1f3', then: [{ when: '\u2028', resign: true }] }];
const RUNNING = { deadlineAt: at, wakeAt: new Date('1969-12-31T23:59:59.999Z'), options: OPTIONS, setup: 'rnbqkbnr', dealRoot: 'd', firstClientSeed: '', secondClientSeed: 'seed "\\" \u2028 将', clientSeedHash: 'c', accepterSeedHash: 'a', firstPlan: PLAN, secondPlan: [] }; // prettier-ignore
const STILL = {
  turn: null,
  deadlineAt: null,
  wakeAt: null,
  firstPlan: Prisma.DbNull,
  secondPlan: Prisma.DbNull,
};
const PENDING = { ...STILL, status: 'pending', setup: null, dealRoot: null, firstClientSeed: null, secondClientSeed: null, clientSeedHash: null, accepterSeedHash: null }; // prettier-ignore
const ENDED = { ...STILL, status: 'finished', winner: 'first', reason: 'timeout', unrated: 'tooShort', endedAt: at, lastActivityAt: at }; // prettier-ignore

test.each([
  ['that was begun', {}],
  ['that is running, with all that it may have', RUNNING],
  ['that waits for a seed', PENDING],
  ['that is over', ENDED],
])('a game %s', async (_, data) => {
  await database.prisma.game.update({ where: { id: gameId }, data });
  const built: Record<string, unknown> = {
    ...(await database.prisma.game.findUnique({ where: { id: gameId } })),
  };
  for (const name of NOT_READ) delete built[name];
  const [row] = await games.byIds([gameId, gameId]);
  expect(row).toStrictEqual(built);
  expect(await games.find(gameId.toUpperCase())).toBe(row);
  expect(
    await new GamesStore(new PrismaService(database), new KnownGames({ cacheMb: 128 })).find(gameId),
  ).toStrictEqual(row);
  const columns = Object.values(Prisma.GameScalarFieldEnum).filter((name) => !NOT_READ.includes(name));
  expect(Object.keys(row!).sort()).toEqual([...columns].sort());
});

test('a remembered row is read again after any change, whether or not its version changed', async () => {
  const changes: readonly Prisma.GameUpdateInput[] = [
    { plans: randomUUID() },
    { clock: { bank: null } },
    { version: 9 },
    { version: 9 },
  ];
  for (const data of changes) {
    const before = await games.find(gameId);
    await database.prisma.game.update({ where: { id: gameId }, data });
    const after = await games.find(gameId);
    expect(after).not.toBe(before);
    expect(after).toMatchObject(data);
  }
});

test('a game that does not exist', async () => {
  expect(await games.find('00000000-0000-7000-8000-000000000000')).toBeNull();
});

test.each([
  ['open', {}],
  ['choosy', { challengesFrom: 'rated', challengesWithin: 100 }],
  ['closed', { username: null, usernameLook: null, displayLook: null, closedAt: at }],
])('a user who is %s', async (_, data) => {
  const users = new UsersStore(new PrismaService(database), null!);
  const { firstId } = await database.prisma.game.findUniqueOrThrow({ where: { id: gameId } });
  const row = await database.prisma.user.update({ where: { id: firstId }, data });
  const [user] = await users.byIds([firstId]);
  const { id, displayName, createdAt, challengesFrom, challengesWithin, username } = row;
  expect(user).toStrictEqual(
    row.closedAt === null
      ? {
          id,
          username,
          displayName,
          createdAt,
          challengesFrom,
          challengesWithin,
          guest: false,
          closed: false,
        }
      : expect.objectContaining({ id, createdAt: null, challengesFrom: 'nobody', closed: true }),
  );
});
