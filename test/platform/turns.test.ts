import { setImmediate as nextLoop, setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { Turns, type Turn } from '../../src/platform/limits/turns.js';

/** Turns between addresses: how much of one is under way, in which order the rest begins, and that nothing is lost. */

const turn = (address: string, weight = 100, user = ''): Turn => ({ address, user, weight });

/** Takes as many turns as given; counts those that have begun. */
function take(turns: Turns, count: number, address: string, weight: number) {
  const taken = { begun: [] as Turn[] };
  for (let i = 0; i < count; i += 1) {
    const one = turn(address, weight);
    const waits = turns.take(one);
    if (waits === null) taken.begun.push(one);
    else void waits.then(() => taken.begun.push(one));
  }
  return taken;
}

async function loops(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await nextLoop();
}

test('an address that is alone has much under way, and one beside others little', async () => {
  const turns = new Turns();
  const alone = take(turns, 500, 'a', 100);
  expect(alone.begun).toHaveLength(320);
  void turns.take(turn('b'));
  for (const one of alone.begun.splice(0)) turns.give(one);
  await loops(200);
  expect(alone.begun).toHaveLength(20);
});

test('work that is heavier than the bound is done alone', async () => {
  const turns = new Turns();
  void turns.take(turn('b'));
  const heavy = take(turns, 3, 'a', 5_000);
  expect(heavy.begun).toHaveLength(1);
  turns.give(heavy.begun[0]!);
  await pause(50);
  expect(heavy.begun).toHaveLength(2);
});

test('while others are served, an address begins no more than it is estimated to take, after some at once', async () => {
  const turns = new Turns();
  const giving = (count: number) => {
    const begun: number[] = [];
    const start = performance.now();
    for (let i = 0; i < count; i += 1) {
      const one = turn('a', 400);
      const waits = turns.take(one) ?? Promise.resolve();
      void waits.then(() => {
        begun.push(performance.now() - start);
        turns.give(one);
      });
    }
    return begun;
  };
  void turns.take(turn('b'));
  const begun = giving(50);
  await pause(300);
  expect(begun).toHaveLength(50);
  // 2 ms each, and 20 ms at once.
  expect(begun.every((ms, i) => ms >= i * 2 - 21)).toBe(true);
});

test('other addresses do not wait for it', () => {
  const turns = new Turns();
  take(turns, 500, 'a', 5_000);
  expect(turns.take(turn('b'))).toBeNull();
});

test('waiting work begins in different turns of the event loop', async () => {
  const turns = new Turns();
  const first = turn('a', 40_000);
  void turns.take(first);
  const others = take(turns, 5, 'a', 100);
  turns.give(first);
  const seen: number[] = [];
  for (let i = 0; i < 10; i += 1) {
    await nextLoop();
    seen.push(others.begun.length);
  }
  expect(seen.slice(0, 5).every((count, i) => count <= i + 1)).toBe(true);
  expect(others.begun).toHaveLength(5);
});

test('the users of an address take turns', async () => {
  const turns = new Turns();
  void turns.take(turn('b'));
  const first = turn('a', 2_000);
  void turns.take(first);
  const order: string[] = [];
  for (const user of ['ann', 'ann', 'ann', 'ben']) {
    const one = turn('a', 2_000, user);
    void turns.take(one)!.then(() => {
      order.push(user);
      turns.give(one);
    });
  }
  turns.give(first);
  await pause(100);
  expect(order).toEqual(['ann', 'ben', 'ann', 'ann']);
});

test('a client that held the process rests while others are served, and goes on after that', async () => {
  const turns = new Turns();
  void turns.take(turn('b'));
  const first = turn('a');
  void turns.take(first);
  turns.spent(first, 10);
  turns.spent(first, 10);
  turns.give(first);
  const next = take(turns, 1, 'a', 100);
  await loops(5);
  expect(next.begun).toHaveLength(0);
  await pause(100);
  expect(next.begun).toHaveLength(1);
});

test('the end of a rest forgets nobody who came after it', async () => {
  const turns = new Turns();
  const first = turn('a');
  void turns.take(first);
  turns.spent(first, 6);
  // The rest is over before its timer has run.
  for (const end = performance.now() + 15; performance.now() < end;);
  turns.give(first);
  const second = turn('a');
  void turns.take(second);
  await pause(20);
  expect(turns.add(second, 1)).toBeNull();
  turns.give(second);
});

test('more than a thousand waiting requests of one address are refused', () => {
  const turns = new Turns();
  expect(() => take(turns, 1002, 'a', 50_000)).toThrow(/already has 1000 requests waiting/);
});

test('every turn begins, in whatever order they are taken, grow, rest and end', async () => {
  const piece = fc.record({
    address: fc.constantFrom('a', 'b', 'c'),
    user: fc.constantFrom('', 'ann', 'ben'),
    weight: fc.constantFrom(1, 100, 2_001),
    more: fc.constantFrom(0, 0, 50, 2_001),
    spent: fc.constantFrom(0, 0, 0, 6),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 20 }), async (pieces) => {
      const turns = new Turns();
      let ended = 0;
      const work = async ({ more, spent, ...given }: (typeof pieces)[number]) => {
        const one = { ...given };
        await turns.take(one);
        if (more > 0) await turns.add(one, more);
        await nextLoop();
        turns.spent(one, spent);
        turns.give(one);
        ended += 1;
      };
      await Promise.all(pieces.map(work));
      expect(ended).toBe(pieces.length);
    }),
    { numRuns: 20 },
  );
});
