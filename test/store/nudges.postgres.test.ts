import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { Nudges } from '../../src/platform/database/nudges.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { freePort } from '../support/clusters.js';
import { freshDatabase, type TestDatabase } from '../support/databases.js';
import { onServer } from '../support/scale.js';

/** What a process tells others about what it has stored: that there is something, once in a while, and no more. */

const SPACING_MS = 50;
const LONG_MS = 5_000;

const INSERT = `INSERT INTO events (user_id, type) VALUES (gen_random_uuid(), 'profileChanged')`;
const CHANGE_NOTHING = `UPDATE users SET username = username WHERE false`;

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(5);
}

onServer('nudges', () => {
  let database: TestDatabase;
  let prisma: PrismaService;
  let stranger: Client;
  /** What a stranger hears, who listens. */
  let told: (string | undefined)[];
  let heard: number;

  beforeEach(async () => {
    database = await freshDatabase();
    prisma = new PrismaService(database);
    [told, heard] = [[], 0];
    stranger = new Client({ connectionString: database.place.databaseUrl! });
    stranger.on('error', () => undefined);
    await stranger.connect();
    stranger.on('notification', ({ payload }) => told.push(payload));
    await stranger.query('LISTEN halfmove');
  });
  afterEach(async () => {
    await stranger.end();
    await database.close();
  });

  const listen = async (spacingMs: number): Promise<void> => {
    prisma.onStored(spacingMs, () => (heard += 1));
    // Once connected, it looks at what was stored before.
    await until(() => heard === 1);
  };

  test('follow a commit, say nothing, and are heard by whoever sent them, too', async () => {
    await listen(SPACING_MS);
    await prisma.db.$executeRawUnsafe(INSERT);
    await until(() => told.length === 1 && heard === 2);
    await prisma.query([`${INSERT} RETURNING id`] as unknown as TemplateStringsArray);
    await until(() => told.length === 2 && heard === 3);
    expect(told).toEqual(['', '']);
  });

  test('wait for the commit of a transaction', async () => {
    await listen(SPACING_MS);
    await prisma.transaction(async (tx) => {
      await tx.$executeRawUnsafe(INSERT);
      await pause(10 * SPACING_MS);
      expect(told).toEqual([]);
    });
    await until(() => told.length === 1);
  });

  test('do not follow what stores nothing', async () => {
    await listen(SPACING_MS);
    await prisma.db.$executeRawUnsafe(CHANGE_NOTHING);
    await prisma.query`SELECT 1 AS one`;
    await prisma.transaction((tx) => tx.$executeRawUnsafe(CHANGE_NOTHING));
    const undone = prisma.transaction(async (tx) => {
      await tx.$executeRawUnsafe(INSERT);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await pause(10 * SPACING_MS);
    expect(told).toEqual([]);
  });

  test('are sent at once, and then once for all that is stored until the next one', async () => {
    await listen(LONG_MS);
    const start = performance.now();
    await prisma.db.$executeRawUnsafe(INSERT);
    await until(() => told.length === 1);
    const first = performance.now();
    for (let i = 0; i < 50; i++) await prisma.db.$executeRawUnsafe(INSERT);
    await until(() => told.length === 2);
    // From one sending to the next, of which only the arrivals are seen.
    expect(performance.now() - start).toBeGreaterThan(LONG_MS);
    expect(first - start).toBeLessThan(LONG_MS);
    await pause(10 * SPACING_MS);
    expect(told).toHaveLength(2);
  });

  test('are sent by a user who reads only, unless they say otherwise', async () => {
    const url = new URL(database.place.databaseUrl!);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const nudges = new Nudges(url.href);
    nudges.listen(SPACING_MS, () => (heard += 1));
    await until(() => heard === 1);
    nudges.stored();
    await until(() => told.length === 1 && heard === 2);
    await nudges.close();
  });

  test('are missed quietly while there is no server', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const nudges = new Nudges(`postgresql://postgres@127.0.0.1:${await freePort()}/none`);
    nudges.listen(SPACING_MS, () => (heard += 1));
    // More than one attempt.
    await pause(5_000);
    nudges.stored();
    expect(warn.mock.calls).toEqual([[expect.stringContaining('OUTBOX_POLL_MS')]]);
    warn.mockRestore();
    await nudges.close();
    expect(heard).toBe(0);
  });
});
