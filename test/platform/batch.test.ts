import fc from 'fast-check';
import { batch, batchById } from '../../src/platform/gathering/batch.js';

/** What must be true of reads in groups, whatever is asked for when, and however long the reads take. */

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Reads that wait until they are let go; `reads` has the keys of each. */
function held() {
  const reads: (readonly string[])[] = [];
  const gates: { letGo(): void; fail(error: Error): void }[] = [];
  const one = batch((keys: readonly string[]) => {
    reads.push([...keys]);
    return new Promise<readonly string[]>((resolve, reject) =>
      gates.push({ letGo: () => resolve(keys.map((key) => `value of ${key}`)), fail: reject }),
    );
  });
  return { reads, gates, one };
}

const lost = Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
const messageOf = (error: Error) => error.message;

test('each request gets its own value from a read that began after it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ key: fc.nat({ max: 9 }), after: fc.nat({ max: 3 }) }), { maxLength: 40 }),
      fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 10 }),
      async (asked, lengths) => {
        let [now, underWay, reads] = [0, 0, 0];
        const one = batch(async (keys: readonly number[]) => {
          const began = ++now;
          expect(++underWay).toBe(1);
          await turns(lengths[reads++ % lengths.length]!);
          underWay--;
          return keys.map((key) => ({ key, began }));
        });
        const answers: Promise<void>[] = [];
        for (const { key, after } of asked) {
          await turns(after);
          const at = now;
          answers.push(
            one(key).then((value) => {
              expect(value.key).toBe(key);
              expect(value.began).toBeGreaterThan(at);
            }),
          );
        }
        await Promise.all(answers);
        expect(reads).toBeLessThanOrEqual(asked.length);
      },
    ),
  );
});

test('what is asked for while a read is under way goes together into the next one', async () => {
  const { reads, gates, one } = held();
  const first = [one('a'), one('b')];
  await turns(1);
  expect(reads).toEqual([['a', 'b']]);
  const later = ['b', 'c'].map((key) => one(key));
  await turns(2);
  later.push(one('d'));
  await turns(2);
  expect(reads).toHaveLength(1);
  gates[0]!.letGo();
  expect(await Promise.all(first)).toEqual(['value of a', 'value of b']);
  expect(reads.slice(1)).toEqual([['b', 'c', 'd']]);
  gates[1]!.letGo();
  expect(await Promise.all(later)).toEqual(['value of b', 'value of c', 'value of d']);
});

test('a slow read does not hold up what is asked for after it', async () => {
  const { reads, gates, one } = held();
  const slow = one('a');
  await turns(1);
  const waiting = one('b');
  await new Promise((resolve) => setTimeout(resolve, 120));
  // It begins by itself, whether more is asked for or not.
  expect(reads).toEqual([['a'], ['b']]);
  gates[1]!.letGo();
  expect(await waiting).toBe('value of b');
  gates[0]!.letGo();
  expect(await slow).toBe('value of a');
});

test('a lost connection reaches exactly those who asked, and holds up nobody', async () => {
  const { reads, gates, one } = held();
  const failing = [one('a'), one('b')].map((value) => value.catch(messageOf));
  await turns(1);
  const later = one('c');
  gates[0]!.fail(lost);
  expect(await Promise.all(failing)).toEqual([lost.message, lost.message]);
  await turns(1);
  gates[1]!.letGo();
  expect(await later).toBe('value of c');
  expect(reads).toEqual([['a', 'b'], ['c']]);
});

test('an item that cannot be read does not fail the others', async () => {
  const reads: (readonly string[])[] = [];
  const one = batch(async (keys: readonly string[]) => {
    reads.push([...keys]);
    await turns(1);
    if (keys.includes('bad')) throw new Error('bad is damaged');
    return keys;
  });
  const answers = ['a', 'bad', 'b'].map((key) => one(key).catch(messageOf));
  expect(await Promise.all(answers)).toEqual(['a', 'bad is damaged', 'b']);
  expect(reads).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']]);
});

test('by id, each id is read once, and a missing one is told', async () => {
  const reads: (readonly string[])[] = [];
  const one = batchById<string>(
    (ids) => {
      reads.push(ids);
      return Promise.resolve(new Map([['a', 'Ann']]));
    },
    (id) => new Error(`no ${id}`),
  );
  expect(await Promise.all([one('a'), one('a'), one('b').catch(messageOf)])).toEqual(['Ann', 'Ann', 'no b']);
  expect(reads).toEqual([['a', 'b']]);
});
