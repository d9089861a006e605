import { FairQueue } from '../../src/platform/limits/fair-queue.js';

function gate() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

/** Somebody without an account, who is alone at an address. */
const at = (address: string) => ({ address, user: '' });

describe('a fair queue', () => {
  it('never runs more at once than allowed, and runs all of them in order', async () => {
    const queue = new FairQueue(2, 10);
    let running = 0;
    let most = 0;
    const order: number[] = [];
    const task = (n: number) => async () => {
      order.push(n);
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running -= 1;
    };
    await Promise.all([1, 2, 3, 4, 5, 6].map((n) => queue.run(at('ann'), task(n))));
    expect({ most, order }).toEqual({ most: 2, order: [1, 2, 3, 4, 5, 6] });
  });

  it('refuses a task that would wait behind too many', async () => {
    const queue = new FairQueue(1, 1);
    const { open, opened } = gate();
    const first = queue.run(at('ann'), () => opened);
    const second = queue.run(at('ann'), () => Promise.resolve('second'));
    await expect(queue.run(at('ann'), () => opened)).rejects.toMatchObject({
      code: 'OVERLOADED',
      details: { retryAfter: 1 },
    });
    open();
    await first;
    expect(await second).toBe('second');
  });

  it('continues when a task fails', async () => {
    const queue = new FairQueue(1, 1);
    const failing = queue.run(at('ann'), () => Promise.reject(new Error('broken')));
    const next = queue.run(at('ann'), () => Promise.resolve('next'));
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('next');
  });

  it('alternates between clients: a client that sends many waits behind itself', async () => {
    const queue = new FairQueue(1, 1000);
    const { open, opened } = gate();
    const order: string[] = [];
    const run = (client: string) => queue.run(at(client), () => Promise.resolve(void order.push(client)));
    const all = [queue.run(at('ann'), () => opened), ...Array.from({ length: 160 }, () => run('ann'))];
    all.push(run('ben'), run('cid'), run('ben'));
    open();
    await Promise.all(all);
    expect(order.slice(0, 6)).toEqual(['ann', 'ben', 'cid', 'ann', 'ben', 'ann']);
    expect(order).toHaveLength(163);
  });

  it('refuses a client that has too many waiting, while others may wait', async () => {
    const queue = new FairQueue(1, 100, 2);
    const { open, opened } = gate();
    const running = queue.run(at('ann'), () => opened);
    const waiting = [1, 2].map(() => queue.run(at('ann'), () => Promise.resolve()));
    await expect(queue.run(at('ann'), () => opened)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    const other = queue.run(at('ben'), () => Promise.resolve('ben'));
    open();
    await Promise.all([running, ...waiting]);
    expect(await other).toBe('ben');
  });

  it('admits a client without waiting tasks before the last task of the client with most', async () => {
    const queue = new FairQueue(1, 4);
    const { open, opened } = gate();
    const running = queue.run(at('ann'), () => opened);
    const waiting = [1, 2, 3].map((n) => queue.run(at('ann'), () => Promise.resolve(n)));
    const last = queue.run(at('ann'), () => Promise.resolve(4));
    const other = queue.run(at('ben'), () => Promise.resolve('ben'));
    await expect(last).rejects.toMatchObject({ code: 'OVERLOADED' });
    await expect(queue.run(at('ann'), () => opened)).rejects.toMatchObject({ code: 'OVERLOADED' });
    open();
    await running;
    expect([await other, ...(await Promise.all(waiting))]).toEqual(['ben', 1, 2, 3]);
  });

  it('takes turns between addresses, and within each between its users', async () => {
    const queue = new FairQueue(1, 1000);
    const { open, opened } = gate();
    const order: string[] = [];
    const run = (address: string, user: string) =>
      queue.run({ address, user }, () => Promise.resolve(void order.push(`${address} ${user}`)));
    const all = [queue.run(at('first'), () => opened)];
    for (let i = 0; i < 25; i += 1) all.push(run('many', `${i}`), run('many', `${i}`));
    all.push(run('few', 'ann'), run('few', 'ben'), run('few', 'ann'));
    open();
    await Promise.all(all);
    expect(order.slice(0, 6)).toEqual(['many 0', 'few ann', 'many 1', 'few ben', 'many 2', 'few ann']);
  });

  it('refuses the last tasks of an address with many accounts in favour of others', async () => {
    const queue = new FairQueue(1, 20);
    const { open, opened } = gate();
    const running = queue.run(at('first'), () => opened);
    const many = Array.from({ length: 20 }, (_, i) =>
      queue.run({ address: 'many', user: `${i}` }, () => Promise.resolve('done')).catch(() => 'refused'),
    );
    const other = queue.run(at('other'), () => Promise.resolve('done'));
    open();
    await running;
    expect(await other).toBe('done');
    expect((await Promise.all(many)).filter((end) => end === 'refused')).toHaveLength(1);
  });
});
