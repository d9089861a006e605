import { type Database, openDatabase } from '../../src/platform/database/database.js';
import { isWrite } from '../../src/platform/database/gated-adapter.js';
import { SpaceGate } from '../../src/platform/database/space.js';
import { isConnectionLoss, refusalOf } from '../../src/platform/database/violations.js';
import { embeddedPlace, type Place } from '../support/databases.js';

const row = (key: string) => ({
  actor: 'a',
  key,
  operation: 'test',
  fingerprint: '',
  resourceId: '00000000-0000-0000-0000-000000000000',
  createdAt: new Date(),
});

describe('an embedded database on a nearly full disk', () => {
  let place: Place;
  let database: Database;
  beforeAll(async () => {
    place = await embeddedPlace();
    database = await openDatabase({ ...place, minFreeBytes: Number.MAX_SAFE_INTEGER }, () => undefined);
  });
  afterAll(() => database.close().finally(() => place.remove()));

  const writes: Readonly<Record<string, () => Promise<unknown>>> = {
    'an insert': () => database.prisma.idempotencyKey.create({ data: row('1') }),
    'an update': () => database.prisma.game.updateMany({ data: { version: 2 } }),
    'a raw statement': () => database.prisma.$executeRaw`DELETE FROM idempotency_keys`,
    'a common table expression that writes': () =>
      database.prisma.$queryRaw`WITH gone AS (DELETE FROM blocks RETURNING 1) SELECT * FROM gone`,
    'a transaction': () =>
      database.prisma.$transaction(async (tx) => {
        await tx.user.count();
        await tx.idempotencyKey.create({ data: row('2') });
      }),
    'a batch': () =>
      database.prisma.$transaction([database.prisma.idempotencyKey.create({ data: row('3') })]),
  };

  test.each(Object.entries(writes))('refuses %s', async (_, write) => {
    const error: unknown = await write().catch((caught: unknown) => caught);
    expect(refusalOf(error)).toMatchObject({ name: 'DomainError', code: 'STORAGE_FULL' });
    expect(isConnectionLoss(error)).toBe(false);
  });

  test('continues reading', async () => {
    expect(await database.prisma.idempotencyKey.count()).toBe(0);
    expect(await database.prisma.$queryRaw`WITH one AS (SELECT 1 AS n) SELECT n FROM one`).toEqual([
      { n: 1 },
    ]);
    expect(
      await database.prisma.$transaction((tx) => tx.user.findMany({ include: { sessions: true } })),
    ).toEqual([]);
    expect(await database.ready()).toBe(true);
  });
});

describe('the gate', () => {
  test('measures once for many writes, and opens again when space is freed', async () => {
    let free = 10;
    let measured = 0;
    const gate = new SpaceGate('folder', 100, () => Promise.resolve((measured++, free)));
    const all = await Promise.allSettled(Array.from({ length: 50 }, () => gate.assertSpace()));
    expect(all.every(({ status }) => status === 'rejected')).toBe(true);
    expect(measured).toBe(1);
    free = 100;
    const isOpen = () =>
      gate.assertSpace().then(
        () => true,
        () => false,
      );
    while (!(await isOpen())) await new Promise(setImmediate);
    expect(measured).toBe(2);
  });

  test('is off at 0 bytes', async () => {
    await new SpaceGate('folder', 0, () => Promise.reject(new Error('measured'))).assertSpace();
  });

  test('distinguishes writes from reads, and treats doubtful cases as writes', () => {
    for (const sql of [
      ' select 1',
      'SHOW all',
      'COMMIT',
      'ROLLBACK TO SAVEPOINT a',
      'WITH a AS (SELECT 1)\nSELECT 1',
    ]) {
      expect([sql, isWrite(sql)]).toEqual([sql, false]);
    }
    for (const sql of [
      'INSERT',
      'update a',
      'WITH a AS (\nUPDATE b) SELECT 1',
      'CALL f()',
      '/* a */ DELETE',
      'VACUUM',
    ]) {
      expect([sql, isWrite(sql)]).toEqual([sql, true]);
    }
  });
});
