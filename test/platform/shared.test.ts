import fc from 'fast-check';
import { shared } from '../../src/platform/gathering/shared.js';

/** What must be true of shared reads, whatever is asked for when, and however long the reads take. */

/** After so long a read holds up nobody. Timers may be early by less than a millisecond. */
const SLOW_MS = 99;

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

test('each answer comes from a read of its own question that began after it was asked', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ key: fc.nat({ max: 2 }), after: fc.nat({ max: 3 }) }), { maxLength: 40 }),
      fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 10 }),
      async (asked, lengths) => {
        let [now, reads] = [0, 0];
        const underWay = new Map<number, number>();
        const ask = shared(
          async ({ key }: { key: number }) => {
            const began = ++now;
            // On a busy machine a read may take so long that the next one does not wait for it.
            const age = performance.now() - (underWay.get(key) ?? -Infinity);
            expect(age).toBeGreaterThanOrEqual(SLOW_MS);
            underWay.set(key, performance.now());
            await turns(lengths[reads++ % lengths.length]!);
            underWay.delete(key);
            if (began % 7 === 0) throw new Error(`read ${key} ${began}`);
            return { key, began };
          },
          ({ key }) => `${key}`,
        );
        const answers: Promise<void>[] = [];
        for (const { key, after } of asked) {
          await turns(after);
          const at = now;
          const answer = ask({ key }).catch(({ message }: Error) => {
            const [, of, began] = message.split(' ').map(Number);
            return { key: of!, began: began! };
          });
          answers.push(
            answer.then((found) => {
              expect(found.key).toBe(key);
              expect(found.began).toBeGreaterThan(at);
            }),
          );
        }
        await Promise.all(answers);
        expect(reads).toBeLessThanOrEqual(asked.length);
      },
    ),
  );
});

test('all who ask while a read is under way share the next one', async () => {
  const gates: (() => void)[] = [];
  const ask = shared(
    (key: string) => new Promise<string>((resolve) => gates.push(() => resolve(`${key} ${gates.length}`))),
    (key) => key,
  );
  const answers = ['a', 'a', 'a', 'b'].map(ask);
  expect(gates).toHaveLength(2);
  gates[0]!();
  await turns(1);
  expect(gates).toHaveLength(3);
  for (const open of gates) open();
  expect(new Set(await Promise.all(answers)).size).toBe(3);
  void ask('a');
  expect(gates).toHaveLength(4);
});

test('a slow read holds up neither those who ask later nor those who wait', async () => {
  let reads = 0;
  const ask = shared(
    () => (reads++ === 0 ? new Promise<string>(() => undefined) : Promise.resolve(`read ${reads}`)),
    () => '',
  );
  void ask(null);
  expect(await ask(null)).toBe('read 2');
  expect(await ask(null)).toBe('read 3');
});
