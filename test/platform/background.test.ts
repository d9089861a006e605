import { setTimeout as pause } from 'node:timers/promises';
import { Background } from '../../src/platform/process/background.js';

/** A promise, and the function that resolves it. */
function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = () => {};
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give };
}

describe('a background task', () => {
  it('begins when the application has started, and ends when it is closed', async () => {
    const [begun, finish] = [signal(), signal()];
    let [rounds, done] = [0, 0];
    const background = new Background();
    background.every('Test', 1, async () => {
      rounds += 1;
      begun.give();
      await finish.given;
      done += 1;
    });
    await pause(20);
    expect(rounds).toBe(0);
    background.onApplicationBootstrap();
    await begun.given;
    const ended = background.onApplicationShutdown();
    finish.give();
    await ended;
    await pause(20);
    expect([rounds, done]).toEqual([1, 1]);
  });

  it('ends even if it never began', async () => {
    const background = new Background();
    background.every('Test', 1, () => Promise.reject(new Error('not asked for')));
    await expect(background.onApplicationShutdown()).resolves.toBeUndefined();
  });
});
