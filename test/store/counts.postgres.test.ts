import { setTimeout as pause } from 'node:timers/promises';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { Counts, consume } from '../../src/platform/limits/counts.js';
import { CountsStore } from '../../src/platform/limits/counts.store.js';
import { Quotas } from '../../src/platform/limits/quotas.js';
import { Background } from '../../src/platform/process/background.js';
import { freshDatabase, type TestDatabase } from '../support/databases.js';

/** Counts that all processes share, in the database. */
// Both databases: each driver returns numbers in its own way.

const TOKEN_SECRET = 'a secret of a test that has at least 32 bytes';

let database: TestDatabase;
let counts: Counts;
beforeAll(async () => {
  database = await freshDatabase();
  const store = new CountsStore(new PrismaService(database));
  counts = new Counts(store, { tokenSecret: TOKEN_SECRET, housekeepingSeconds: 86_400 }, new Background());
});
afterAll(() => database.close());

const told = ({ headers }: Quotas) => headers?.ratelimit;

test('what is given back is there again, and never more than the limit', async () => {
  const limiter = counts.limiter('things', 3, 60);
  const quotas = new Quotas();
  for (let i = 0; i < 3; i += 1) await consume('things', limiter, 'ann', quotas);
  await expect(consume('things', limiter, 'ann', quotas)).rejects.toMatchObject({ details: { limit: 3 } });
  expect(told(quotas)).toBe('"things";r=0;t=60');
  for (const left of [0, 1, 2, 3, 3, 3]) {
    quotas.note(limiter, await limiter.reward('ann'));
    expect(told(quotas)).toMatch(new RegExp(`^"things";r=${left};t=`));
  }
});

test('what is given back after its time begins nothing anew', async () => {
  const limiter = counts.limiter('short things', 3, 1);
  await consume('short things', limiter, 'ann', new Quotas());
  await pause(1100);
  const quotas = new Quotas();
  quotas.note(limiter, await limiter.reward('ann'));
  expect(told(quotas)).toBe('"short things";r=3;t=0');
  await consume('short things', limiter, 'ann', quotas);
  expect(told(quotas)).toBe('"short things";r=2;t=1');
});
