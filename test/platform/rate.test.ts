import { Quotas } from '../../src/platform/limits/quotas.js';
import { Rate } from '../../src/platform/limits/rate.js';

/** How often a user may do something, with hours that pass at once. */

const newRate = () => new Rate({ things: 'messages', perMinute: 10, perHour: 100 });

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const code = (rate: Rate, who = 'ann'): Promise<string> =>
  rate.count(who, new Quotas()).then(
    () => 'ok',
    (error: { code: string }) => error.code,
  );

async function codes(rate: Rate, times: number): Promise<readonly string[]> {
  const all: string[] = [];
  for (let i = 0; i < times; i += 1) all.push(await code(rate));
  return all;
}

const ok = (times: number): readonly string[] => Array<string>(times).fill('ok');

test('allows ten per minute, then nothing for the rest of the minute', async () => {
  const rate = newRate();
  expect(await codes(rate, 12)).toEqual([...ok(10), 'RATE_LIMITED', 'RATE_LIMITED']);
  jest.advanceTimersByTime(40_000);
  await expect(rate.count('ann', new Quotas())).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: 'Too many messages: you may send 10 per minute and 100 per hour. Try again in 20 seconds.',
    details: { retryAfter: 20 },
  });
  expect(await code(rate, 'ben')).toBe('ok');
  jest.advanceTimersByTime(20_001);
  expect(await codes(rate, 11)).toEqual([...ok(10), 'RATE_LIMITED']);
});

test('allows a hundred per hour, however slowly', async () => {
  const rate = newRate();
  for (let minute = 0; minute < 10; minute += 1) {
    expect(await codes(rate, 10)).toEqual(ok(10));
    jest.advanceTimersByTime(60_001);
  }
  await expect(rate.count('ann', new Quotas())).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    details: { retryAfter: 3000 },
  });
  jest.advanceTimersByTime(50 * 60_000);
  expect(await code(rate)).toBe('ok');
});

test('tells what is left in both, and of the one that refuses', async () => {
  const rate = newRate();
  await codes(rate, 9);
  jest.advanceTimersByTime(20_000);
  const quotas = new Quotas();
  await rate.count('ann', quotas);
  expect(quotas.headers).toEqual({
    'ratelimit-policy': '"messages-per-minute";q=10;w=60, "messages-per-hour";q=100;w=3600',
    ratelimit: '"messages-per-minute";r=0;t=40, "messages-per-hour";r=90;t=3580',
  });
  const refused = new Quotas();
  await expect(rate.count('ann', refused)).rejects.toMatchObject({ details: { limit: 10 } });
  expect(refused.headers).toEqual({
    'ratelimit-policy': '"messages-per-minute";q=10;w=60',
    ratelimit: '"messages-per-minute";r=0;t=40',
  });
});
