import fc from 'fast-check';
import { GroupCommit } from '../../src/platform/group-commit.js';

/** What must hold of group commit whatever is submitted when, and however the commits end. */

interface Item {
  readonly key: string;
  readonly number: number;
  readonly wins: boolean;
  /** What becomes of it when its batch fails. */
  readonly alone: 'wins' | 'loses' | 'fails';
  /** Turns of the event loop between the item before it and this one. */
  readonly after: number;
}

interface Batch {
  readonly items: readonly Item[];
  readonly failed: boolean;
}

/** How the batches end, one after the other, and how many turns each takes. */
type Endings = readonly { readonly fails: boolean; readonly turns: number }[];

/** What may wait. */
const MOST = 1000;

const KEYS = ['a', 'b', 'c', 'd', 'e'];

const items: fc.Arbitrary<readonly Item[]> = fc
  .array(
    fc.record({
      key: fc.constantFrom(...KEYS),
      wins: fc.boolean(),
      alone: fc.constantFrom('wins' as const, 'loses' as const, 'fails' as const),
      after: fc.nat({ max: 3 }),
    }),
    { maxLength: 60 },
  )
  .map((drawn) => drawn.map((item, number) => ({ ...item, number })));

const endings: fc.Arbitrary<Endings> = fc.array(
  fc.record({ fails: fc.boolean(), turns: fc.nat({ max: 4 }) }),
  { minLength: 1, maxLength: 20 },
);

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** A database that does as it is told, and notes what it is asked. */
class Script {
  readonly batches: Batch[] = [];
  readonly alone: Item[] = [];
  underWay = 0;
  mostUnderWay = 0;
  private unanswered = 0;

  constructor(private readonly endings: Endings) {}

  readonly commitAll = async (batch: readonly Item[]): Promise<ReadonlySet<string>> => {
    const { fails, turns: long } = this.endings[this.batches.length % this.endings.length]!;
    this.batches.push({ items: batch, failed: fails });
    // A batch is under way until the last of its items is answered.
    this.underWay++;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    await turns(long);
    if (fails) {
      this.unanswered = batch.length;
      throw new Error('the batch failed');
    }
    this.underWay--;
    return new Set(batch.filter(({ wins }) => wins).map(({ key }) => key));
  };

  readonly commitAlone = async (item: Item): Promise<boolean> => {
    this.alone.push(item);
    await turns(item.number % 3);
    if (--this.unanswered === 0) this.underWay--;
    if (item.alone === 'fails') throw new Error(`${item.number} failed`);
    return item.alone === 'wins';
  };
}

type Answer = boolean | string;

/** Submits all items, each at its time; what each was answered. */
async function submitAll(group: GroupCommit<Item>, submitted: readonly Item[]): Promise<readonly Answer[]> {
  const answers: Promise<Answer>[] = [];
  for (const item of submitted) {
    await turns(item.after);
    answers.push(group.submit(item).catch((error: Error) => error.message));
  }
  return Promise.all(answers);
}

function expected(item: Item, batches: readonly Batch[]): Answer {
  if (!batches.find(({ items: batch }) => batch.includes(item))!.failed) return item.wins;
  return item.alone === 'fails' ? `${item.number} failed` : item.alone === 'wins';
}

const numbers = (given: readonly Item[]) => given.map(({ number }) => number);
const byNumber = (a: Item, b: Item) => a.number - b.number;

test('every item is answered once, as its own commit ended', async () => {
  await fc.assert(
    fc.asyncProperty(items, endings, async (submitted, ends) => {
      const script = new Script(ends);
      const group = new GroupCommit<Item>(({ key }) => key, script.commitAll, script.commitAlone, MOST);
      const answers = await submitAll(group, submitted);
      const { batches, alone } = script;

      expect(answers).toEqual(submitted.map((item) => expected(item, batches)));
      const committed = batches.flatMap(({ items: batch }) => batch);
      expect(numbers([...committed].sort(byNumber))).toEqual(numbers(submitted));
      const failed = batches.filter((batch) => batch.failed).flatMap(({ items: batch }) => batch);
      expect(numbers(alone)).toEqual(numbers(failed));

      for (const { items: batch } of batches) {
        const keys = batch.map(({ key }) => key);
        expect(keys).toEqual([...new Set(keys)].sort());
      }
      for (const key of KEYS) {
        const ofKey = (given: readonly Item[]) => numbers(given.filter((item) => item.key === key));
        expect(ofKey(committed)).toEqual(ofKey(submitted));
      }
      expect(script.mostUnderWay).toBeLessThanOrEqual(1);
    }),
  );
});

/** A database that keeps everybody waiting until it is let go. */
function held() {
  const batches: string[][] = [];
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const group = new GroupCommit<string>(
    (item) => item.split('.')[0]!,
    async (batch) => {
      batches.push([...batch]);
      await gate;
      return new Set(batch.map((item) => item.split('.')[0]!));
    },
    () => Promise.reject(new Error('not expected')),
    MOST,
  );
  return { batches, group, letGo };
}

test('what comes alone goes at once, and what comes meanwhile goes together', async () => {
  const { batches, group, letGo } = held();
  const answers = [group.submit('b.1')];
  expect(batches).toEqual([['b.1']]);
  for (const item of ['d.1', 'b.2', 'c.1', 'b.3', 'a.1']) answers.push(group.submit(item));
  expect(batches).toHaveLength(1);
  letGo();
  expect(await Promise.all(answers)).toEqual(Array(6).fill(true));
  expect(batches.slice(1)).toEqual([['a.1', 'b.2', 'c.1', 'd.1'], ['b.3']]);

  const later = group.submit('e.1');
  expect(batches.at(-1)).toEqual(['e.1']);
  expect(await later).toBe(true);
});

test('a full queue refuses what more comes, and loses nothing of what it has', async () => {
  const { batches, group, letGo } = held();
  const first = group.submit('first');
  const waiting = Array.from({ length: MOST }, (_, i) => group.submit(`${i}`));
  for (let i = 0; i < 3; i++) {
    expect(() => group.submit('one too many')).toThrow(
      expect.objectContaining({ code: 'OVERLOADED' }) as Error,
    );
  }
  letGo();
  expect(await first).toBe(true);
  expect((await Promise.all(waiting)).every((won) => won)).toBe(true);
  expect(batches.flat()).toHaveLength(MOST + 1);
  expect(Math.max(...batches.map(({ length }) => length))).toBe(64);
  // There is room again.
  expect(await group.submit('one more')).toBe(true);
});

test('a batch that throws before it waits is a batch that failed', async () => {
  const group = new GroupCommit<string>(
    (item) => item,
    () => {
      throw new Error('at once');
    },
    (item) => Promise.resolve(item === 'a'),
    MOST,
  );
  expect(await Promise.all([group.submit('a'), group.submit('b'), group.submit('c')])).toEqual([
    true,
    false,
    false,
  ]);
});
