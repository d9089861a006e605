import { randomBytes, randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { DealsStore } from '../../src/engine/deals.store.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { freshDatabase, type TestDatabase } from '../support/databases.js';

// Both databases: a seed is read back in each driver's form of bytes.

let database: TestDatabase;
let prisma: PrismaService;

const storeWith = (seedSecret: string) => new DealsStore(prisma, { seedSecret, lostSeeds: 'refuse' });

beforeAll(async () => {
  database = await freshDatabase();
  prisma = new PrismaService(database);
});

afterAll(() => database.close());

async function sealed(store: DealsStore): Promise<{ id: string; seed: Buffer; bytes: Buffer }> {
  const id = randomUUID();
  const seed = randomBytes(32);
  await prisma.transaction((tx) => store.insert(tx, id, seed, new Date()));
  const row = await prisma.db.dealSecret.findUniqueOrThrow({ where: { gameId: id } });
  return { id, seed, bytes: Buffer.from(row.sealed) };
}

test('a seed is read back unchanged, and is not in the table in plain', async () => {
  const store = storeWith('a'.repeat(64));
  const { id, seed, bytes } = await sealed(store);
  expect(await store.seed(id)).toEqual(seed);
  expect(bytes.includes(seed)).toBe(false);
  expect(bytes.includes(seed.subarray(0, 8))).toBe(false);
});

test('the same seed is never sealed to the same bytes', async () => {
  const store = storeWith('a'.repeat(64));
  const seed = randomBytes(32);
  const [one, other] = [randomUUID(), randomUUID()];
  for (const id of [one, other]) await prisma.transaction((tx) => store.insert(tx, id, seed, new Date()));
  const rows = await prisma.db.dealSecret.findMany({ where: { gameId: { in: [one, other] } } });
  expect(Buffer.from(rows[0]!.sealed).equals(Buffer.from(rows[1]!.sealed))).toBe(false);
});

test('another secret opens nothing, and the error says what is wrong', async () => {
  const { id } = await sealed(storeWith('a'.repeat(64)));
  await expect(storeWith('b'.repeat(64)).seed(id)).rejects.toThrow(/SEED_SECRET is not the one/);
});

test('a start with another secret is refused in words, and logs nothing before them', async () => {
  const logged = jest.spyOn(Logger.prototype, 'error');
  await sealed(storeWith('a'.repeat(64)));
  await expect(storeWith('b'.repeat(64)).onModuleInit()).rejects.toThrow(/another SEED_SECRET/);
  expect(logged.mock.calls).toEqual([]);
  logged.mockRestore();
});

test('a sealed seed is bound to its game', async () => {
  const store = storeWith('a'.repeat(64));
  const { bytes } = await sealed(store);
  const gameId = randomUUID();
  await prisma.db.dealSecret.create({
    data: { gameId, sealed: new Uint8Array(bytes), createdAt: new Date() },
  });
  await expect(store.seed(gameId)).rejects.toThrow(/does not open/);
});

test('a changed byte is noticed', async () => {
  const store = storeWith('a'.repeat(64));
  const { id, bytes } = await sealed(store);
  for (const at of [0, 12, 28, bytes.length - 1]) {
    const changed = new Uint8Array(bytes);
    changed[at]! ^= 1;
    await prisma.db.dealSecret.update({ where: { gameId: id }, data: { sealed: changed } });
    await expect(store.seed(id)).rejects.toThrow(/does not open/);
  }
});

test('the seed of an unknown or running game cannot be published', async () => {
  const store = storeWith('a'.repeat(64));
  const { id } = await sealed(store);
  expect(await store.seedsOfEnded([id])).toEqual(new Map());
});

describe('the seed of a challenge', () => {
  const opened = async (id: string, status: string): Promise<void> => {
    await prisma.db.user.upsert({
      where: { username: 'ann' },
      create: { id: randomUUID(), username: 'ann', displayName: '', passwordHash: '', createdAt: new Date() },
      update: {},
    });
    const { id: creatorId } = await prisma.db.user.findUniqueOrThrow({ where: { username: 'ann' } });
    await prisma.db.challenge.create({
      data: {
        ...{
          id,
          kind: 'link',
          creatorId,
          status,
          ruleset: 'chess',
          options: {},
          timeControl: {},
          rated: false,
        },
        ...{
          side: 'any',
          commitment: '',
          createHash: '',
          headHash: '',
          createdAt: new Date(),
          expiresAt: new Date(0),
          declineReason: status === 'declined' ? 'generic' : null,
        },
      },
    });
  };
  const published = async (status: string): Promise<number> => {
    const store = storeWith('a'.repeat(64));
    const { id } = await sealed(store);
    await opened(id, status);
    return (await store.seedsOfEnded([id])).size;
  };

  test.each(['declined', 'countered', 'cancelled', 'expired'])('is public once %s', async (status) => {
    expect(await published(status)).toBe(1);
  });

  test('is not public while open, even past its expiry', async () => {
    expect(await published('open')).toBe(0);
  });
});
