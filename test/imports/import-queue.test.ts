import { Quotas } from '../../src/platform/limits/quotas.js';
import { ImportQueue } from '../../src/features/imports/import-queue.js';

/** The order in which texts are read. */

const LIMITS = { importsPerMinute: 20, importsPerHour: 200, maxImportsWaiting: 3 };

/** All users at one address. */
const of = (user: string) => ({ address: '127.0.0.1', user });

const task = () => {
  let end: () => void = () => undefined;
  const done = new Promise<void>((resolve) => (end = resolve));
  return { run: () => done, end };
};

test('reads one text of a user at a time; those of others wait, up to a limit', async () => {
  const queue = new ImportQueue(LIMITS);
  const first = task();
  const running = queue.run(of('ann'), new Quotas(), first.run);
  await expect(queue.run(of('ann'), new Quotas(), task().run)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    details: { retryAfter: 1 },
  });
  const others = Array.from({ length: LIMITS.maxImportsWaiting }, (_, i) =>
    queue.run(of(`user ${i}`), new Quotas(), () => Promise.resolve(i)),
  );
  await expect(queue.run(of('late'), new Quotas(), () => Promise.resolve())).rejects.toMatchObject({
    code: 'OVERLOADED',
  });
  first.end();
  await running;
  expect(await Promise.all(others)).toEqual(others.map((_, i) => i));
  expect(await queue.run(of('ann'), new Quotas(), () => Promise.resolve('again'))).toBe('again');
});

test('a text that fails frees its place', async () => {
  const queue = new ImportQueue(LIMITS);
  await expect(queue.run(of('ann'), new Quotas(), () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  );
  expect(await queue.run(of('ann'), new Quotas(), () => Promise.resolve('read'))).toBe('read');
});
