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
    await Promise.all([1, 2, 3, 4, 5, 6].map((n) => turns.run('ann', task(n))));
    expect({ most, order }).toEqual({ most: 2, order: [1, 2, 3, 4, 5, 6] });
  });

  it('refuses who would wait behind too many', async () => {
    const turns = new Turns(1, 1);
    const { open, opened } = gate();
    const first = turns.run('ann', () => opened);
    const second = turns.run('ann', () => Promise.resolve('second'));
    await expect(turns.run('ann', () => opened)).rejects.toMatchObject({
      code: 'OVERLOADED',
      details: { retryAfter: 1 },
    });
    open();
    await first;
    expect(await second).toBe('second');
  });

  it('hands the turn on when a task fails', async () => {
    const turns = new Turns(1, 1);
    const failing = turns.run('ann', () => Promise.reject(new Error('broken')));
    const next = turns.run('ann', () => Promise.resolve('next'));
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('next');
  });

  it('lets clients take turns: who sends many waits behind himself alone', async () => {
    const turns = new Turns(1, 1000);
    const { open, opened } = gate();
    const order: string[] = [];
    const run = (client: string) => turns.run(client, () => Promise.resolve(void order.push(client)));
    const all = [turns.run('ann', () => opened), ...Array.from({ length: 160 }, () => run('ann'))];
    all.push(run('ben'), run('cid'), run('ben'));
    open();
    await Promise.all(all);
    expect(order.slice(0, 6)).toEqual(['ann', 'ben', 'cid', 'ann', 'ben', 'ann']);
    expect(order).toHaveLength(163);
  });

  it('refuses who has too many waiting himself, while others may wait', async () => {
    const turns = new Turns(1, 100, 2);
    const { open, opened } = gate();
    const running = turns.run('ann', () => opened);
    const waiting = [1, 2].map(() => turns.run('ann', () => Promise.resolve()));
    await expect(turns.run('ann', () => opened)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    const other = turns.run('ben', () => Promise.resolve('ben'));
    open();
    await Promise.all([running, ...waiting]);
    expect(await other).toBe('ben');
  });
});
