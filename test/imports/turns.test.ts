import { ImportTurns } from '../../src/features/imports/import-turns.js';

/** Whose text is read when. */

const LIMITS = { importsPerMinute: 20, importsPerHour: 200, maxImportsWaiting: 3 };

const task = () => {
  let end: () => void = () => undefined;
  const done = new Promise<void>((resolve) => (end = resolve));
  return { run: () => done, end };
};

test('one text of a user at a time; those of others wait, up to so many', async () => {
  const turns = new ImportTurns(LIMITS);
  const first = task();
  const running = turns.run('ann', first.run);
  await expect(turns.run('ann', task().run)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    details: { retryAfter: 1 },
  });
  const others = Array.from({ length: LIMITS.maxImportsWaiting }, (_, i) =>
    turns.run(`user ${i}`, () => Promise.resolve(i)),
  );
  await expect(turns.run('late', () => Promise.resolve())).rejects.toMatchObject({ code: 'OVERLOADED' });
  first.end();
  await running;
  expect(await Promise.all(others)).toEqual(others.map((_, i) => i));
  expect(await turns.run('ann', () => Promise.resolve('again'))).toBe('again');
});

test('a text that fails leaves room for the next one', async () => {
  const turns = new ImportTurns(LIMITS);
  await expect(turns.run('ann', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await turns.run('ann', () => Promise.resolve('read'))).toBe('read');
});
