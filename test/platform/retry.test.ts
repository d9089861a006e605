import { retry, UNTIL_STILL, type RetryPolicy } from '../../src/platform/process/retry.js';

/** Work that answers at its `last` attempt, and the number of attempts. */
function work(last: number) {
  const done = { tries: 0 };
  const attempt = () => Promise.resolve(++done.tries < last ? null : done.tries);
  return { done, attempt };
}

const FIVE: RetryPolicy<string> = { tries: 5, otherwise: () => 'given up' };

test('repeats until there is an answer', async () => {
  const { done, attempt } = work(5);
  expect(await retry(attempt, UNTIL_STILL)).toBe(5);
  expect(done.tries).toBe(5);
});

test.each([[false], [0], ['']])('%j is an answer', async (answer) => {
  expect(await retry<unknown>(() => Promise.resolve(answer), UNTIL_STILL)).toBe(answer);
});

test('gives up when there is never an answer', async () => {
  const { done, attempt } = work(Infinity);
  expect(await retry<unknown>(attempt, FIVE)).toBe('given up');
  expect(done.tries).toBe(5);
  await expect(retry(attempt, UNTIL_STILL)).rejects.toMatchObject({
    code: 'OVERLOADED',
    details: { retryAfter: 1 },
  });
  expect(done.tries).toBe(25);
});

test('does not repeat after an exception', async () => {
  let tries = 0;
  const broken = () => Promise.reject(new Error(`broken ${++tries}`));
  await expect(retry(broken, UNTIL_STILL)).rejects.toThrow('broken 1');
});

test('pauses between two attempts, not before the first or after the last', async () => {
  const began = performance.now();
  await retry<unknown>(work(Infinity).attempt, { ...FIVE, tries: 3, pauseMs: 40 });
  const took = performance.now() - began;
  expect(took).toBeGreaterThan(78);
  expect(took).toBeLessThan(1000);
});
