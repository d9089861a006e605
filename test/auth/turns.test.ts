import { Turns } from '../../src/auth/turns.js';

function gate() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe('turns', () => {
  it('never lets more run at once than allowed, and lets all run in the end, in order', async () => {
    const turns = new Turns(2, 10);
    let running = 0;
    let most = 0;
    const order: number[] = [];
    const task = (n: number) => async () => {
      order.push(n);
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running -= 1;
    };
    await Promise.all([1, 2, 3, 4, 5, 6].map((n) => turns.run(task(n))));
    expect({ most, order }).toEqual({ most: 2, order: [1, 2, 3, 4, 5, 6] });
  });

  it('refuses who would wait behind too many', async () => {
    const turns = new Turns(1, 1);
    const { open, opened } = gate();
    const first = turns.run(() => opened);
    const second = turns.run(() => Promise.resolve('second'));
    await expect(turns.run(() => opened)).rejects.toMatchObject({
      code: 'OVERLOADED',
      details: { retryAfter: 1 },
    });
    open();
    await first;
    expect(await second).toBe('second');
  });

  it('hands the turn on when a task fails', async () => {
    const turns = new Turns(1, 1);
    const failing = turns.run(() => Promise.reject(new Error('broken')));
    const next = turns.run(() => Promise.resolve('next'));
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('next');
  });
});
