import fc from 'fast-check';
import { DomainError } from '../../src/platform/errors/errors.js';
import { GroupCommit, type Committed } from '../../src/platform/gathering/group-commit.js';

/** What must be true of group commit, whatever is submitted when, and however the commits end. */

interface Item {
  readonly key: string;
  readonly number: number;
  readonly wins: boolean;
  /** The outcome of the item when its batch fails. */
  readonly alone: 'wins' | 'loses' | 'fails';
  /** AttemptSlots of the event loop between the item before it and this one. */
  readonly after: number;
}

interface Batch {
  readonly items: readonly Item[];
  readonly failed: boolean;
}

/** How the batches end, one after the other, and how many turns each takes. */
type Endings = readonly { readonly fails: boolean; readonly turns: number }[];

/** How many items may wait. */
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

const written = <Result>(won: readonly (readonly [string, Result])[]): Committed<Result> => ({
  won: new Map(won),
  held: new Set(),
});
const stored = (keys: readonly string[]) => written(keys.map((key) => [key, true as const]));

/** A database that behaves as configured, and records its calls. */
class Script {
  readonly batches: Batch[] = [];
  readonly alone: Item[] = [];
  underWay = 0;
  mostUnderWay = 0;

  constructor(private readonly endings: Endings) {}

  readonly commitAll = async (batch: readonly Item[]): Promise<Committed<number>> => {
    const { fails, turns: long } = this.endings[this.batches.length % this.endings.length]!;
    this.batches.push({ items: batch, failed: fails });
    // The items of a failed batch are tried alone beside the next batch.
    this.underWay++;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    await turns(long);
    this.underWay--;
    if (fails) throw new Error('the batch failed');
    return written(batch.filter(({ wins }) => wins).map(({ key, number }) => [key, number]));
  };

  readonly commitAlone = async (item: Item): Promise<Committed<number>> => {
    this.alone.push(item);
    await turns(item.number % 3);
    if (item.alone === 'fails') throw new Error(`${item.number} failed`);
    return written(item.alone === 'wins' ? [[item.key, item.number]] : []);
  };
}

type Answer = number | null | string;

/** Submits all items, each at its time; returns the answer to each. */
async function submitAll(
  group: GroupCommit<Item, number>,
  submitted: readonly Item[],
): Promise<readonly Answer[]> {
  const answers: Promise<Answer>[] = [];
  for (const item of submitted) {
    await turns(item.after);
    answers.push(group.submit(item).catch((error: Error) => error.message));
  }
  return Promise.all(answers);
}

function expected(item: Item, batches: readonly Batch[]): Answer {
  const isFailed = batches.find(({ items: batch }) => batch.includes(item))!.failed;
  if (isFailed && item.alone === 'fails') return `${item.number} failed`;
  return (isFailed ? item.alone === 'wins' : item.wins) ? item.number : null;
}

const numbers = (given: readonly Item[]) => given.map(({ number }) => number);
const byNumber = (a: Item, b: Item) => a.number - b.number;

test('every item is answered once, as its own commit ended', async () => {
  await fc.assert(
    fc.asyncProperty(items, endings, async (submitted, ends) => {
      const script = new Script(ends);
      const group = new GroupCommit<Item, number>(
        ({ key }) => key,
        script.commitAll,
        script.commitAlone,
        MOST,
      );
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

/** A database that blocks everyone until it is released. */
function held() {
  const batches: string[][] = [];
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const group = new GroupCommit<string, true>(
    (item) => item.split('.')[0]!,
    async (batch) => {
      batches.push([...batch]);
      await gate;
      return stored(batch.map((item) => item.split('.')[0]!));
    },
    () => Promise.reject(new Error('not expected')),
    MOST,
  );
  return { batches, group, letGo };
}

test('a single item goes at once, and items that arrive in the meantime go together', async () => {
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

test('a full queue refuses more items, and keeps those that it has', async () => {
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
  // There is space again.
  expect(await group.submit('one more')).toBe(true);
});

test('a batch that throws before it waits has failed', async () => {
  const group = new GroupCommit<string, true>(
    (item) => item,
    () => {
      throw new Error('at once');
    },
    (item) => Promise.resolve(stored(item === 'a' ? ['a'] : [])),
    MOST,
  );
  expect(await Promise.all([group.submit('a'), group.submit('b'), group.submit('c')])).toEqual([
    true,
    null,
    null,
  ]);
});

describe('a row that another program has locked', () => {
  /** Rows in `busy` are locked; each batch records its items. */
  function rows(busy: Set<string>) {
    const batches: string[][] = [];
    const group = new GroupCommit<string, true>(
      (item) => item,
      (batch) => {
        batches.push([...batch]);
        const isHeld = (item: string) => busy.has(item);
        return Promise.resolve({
          ...stored(batch.filter((item) => !isHeld(item))),
          held: new Set(batch.filter(isHeld)),
        });
      },
      () => Promise.reject(new Error('not expected')),
      2,
    );
    return { batches, group };
  }

  test('is tried again while others continue, and stored when it is released', async () => {
    const busy = new Set(['a']);
    const { batches, group } = rows(busy);
    const held = group.submit('a');
    for (let i = 0; i < 50; i++) expect(await group.submit('b')).toBe(true);
    while (batches.filter(([item]) => item === 'a').length < 3) await turns(1);
    expect(await group.submit('c')).toBe(true);
    busy.clear();
    expect(await held).toBe(true);
    expect(batches.at(-1)).toContain('a');
  });

  test('counts towards the queue', async () => {
    const { group } = rows(new Set(['a', 'b']));
    const held = [group.submit('a'), group.submit('b')].map((answer) =>
      answer.catch((error: Error) => error),
    );
    await new Promise(setImmediate);
    expect(() => group.submit('c')).toThrow(expect.objectContaining({ code: 'OVERLOADED' }) as Error);
    // Each one fails in the end, after too long a lock.
    expect(await Promise.all(held)).toEqual(
      [1, 2].map(() => expect.objectContaining({ code: 'OVERLOADED' })),
    );
    expect(await group.submit('c')).toBe(true);
  });
});

test('a row that is locked when its batch has failed is tried alone, and blocks no other', async () => {
  let tries = 0;
  const group = new GroupCommit<string, true>(
    (item) => item,
    (batch) =>
      batch.includes('a') ? Promise.reject(new Error('the batch failed')) : Promise.resolve(stored(batch)),
    (item) => Promise.resolve(++tries < 3 ? { ...stored([]), held: new Set([item]) } : stored([item])),
    MOST,
  );
  const held = group.submit('a');
  expect(await group.submit('b')).toBe(true);
  expect(tries).toBe(1);
  expect(await held).toBe(true);
  expect(tries).toBe(3);
});

describe('the health that it reports', () => {
  test('includes a full disk, until something is stored', async () => {
    let isFull = true;
    const write = () =>
      isFull
        ? Promise.reject(
            new Error('not sent', { cause: new DomainError('STORAGE_FULL', 'The disk is full.') }),
          )
        : Promise.resolve(stored(['a']));
    const group = new GroupCommit<string, true>((item) => item, write, write, MOST);
    expect(group.trouble()).toBeNull();
    await expect(group.submit('a')).rejects.toThrow('not sent');
    expect(group.trouble()).toBe('The disk is full.');
    isFull = false;
    expect(await group.submit('a')).toBe(true);
    expect(group.trouble()).toBeNull();
  });
});

test('an item is refused when its commit is not confirmed in time', async () => {
  const never = () => new Promise<never>(() => undefined);
  const group = new GroupCommit<string, true>((item) => item, never, never, MOST, 20);
  const refused = { code: 'UNAVAILABLE' };
  await expect(Promise.allSettled([group.submit('a'), group.submit('b')])).resolves.toMatchObject([
    { reason: refused },
    { reason: refused },
  ]);
});
