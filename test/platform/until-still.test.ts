import { stopIfGone, withRequestId } from '../../src/platform/request-context.js';
import { lookUntilStill } from '../../src/platform/until-still.js';

test('a look is repeated until it finds what holds still', async () => {
  let looks = 0;
  expect(await lookUntilStill(() => Promise.resolve(++looks < 5 ? null : 'found'))).toBe('found');
  expect(looks).toBe(5);
});

test('one that never does is given up', async () => {
  let looks = 0;
  const look = () => {
    looks++;
    return Promise.resolve(null);
  };
  await expect(lookUntilStill(look)).rejects.toMatchObject({
    code: 'OVERLOADED',
    details: { retryAfter: 1 },
  });
  expect(looks).toBeLessThan(100);
});

test('one whose client has left ends', async () => {
  let looks = 0;
  let isGone = false;
  const look = async () => {
    stopIfGone();
    isGone = ++looks === 3;
    return Promise.resolve(null);
  };
  const answer = withRequestId(
    'a',
    () => lookUntilStill(look),
    () => isGone,
  );
  await expect(answer).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(looks).toBe(3);
});
