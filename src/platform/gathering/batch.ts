import DataLoader from 'dataloader';
import { isConnectionLoss, refusalOf } from '../database/violations.js';

/** A read that takes longer does not hold up the next one. */
const SLOW_MS = 100;

/** The largest number of items read by one call. */
const MOST_AT_ONCE = 1000;

/**
 * Batches reads, of all requests: the items requested in the same turn of the event loop, or while a read is under way,
 * are read by one call, which begins after them. Nothing is cached. If a call fails because of one item, the others
 * are read without it.
 */
export function batch<Key, Value>(
  read: (keys: readonly Key[]) => Promise<readonly (Value | Error)[]>,
): (key: Key) => Promise<Value> {
  const turns = new Turns();
  const loader = new DataLoader<Key, Value>((keys) => turns.during(() => readEach(read, keys)), {
    cache: false,
    maxBatchSize: MOST_AT_ONCE,
    batchScheduleFn: (begin) => turns.wait(begin),
  });
  return (key) => loader.load(key);
}

/** Lets reads begin one after the other. */
class Turns {
  private readonly waiting: (() => void)[] = [];
  private underWay = 0;

  wait(begin: () => void): void {
    this.waiting.push(begin);
    if (this.underWay === 0) setImmediate(() => this.next());
    else setTimeout(() => this.pass(begin), SLOW_MS).unref();
  }

  /** Begins a read that still waits: the one before it is slow. */
  private pass(begin: () => void): void {
    if (this.waiting.includes(begin)) this.next();
  }

  async during<T>(read: () => Promise<T>): Promise<T> {
    this.underWay++;
    try {
      return await read();
    } finally {
      this.underWay--;
      this.next();
    }
  }

  private next(): void {
    this.waiting.shift()?.();
  }
}

async function readEach<Key, Value>(
  read: (keys: readonly Key[]) => Promise<readonly (Value | Error)[]>,
  keys: readonly Key[],
): Promise<readonly (Value | Error)[]> {
  try {
    return await read(keys);
  } catch (error) {
    // Reading again would not help, and would burden a database in trouble.
    if (keys.length === 1 || isConnectionLoss(error) || refusalOf(error) !== null) throw error;
    const alone = keys.map((key) => read([key]).then(([value]) => value!, asError));
    return Promise.all(alone);
  }
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** The same by id, each read once; `none` is the error for a missing one. */
export const batchById = <Value>(
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  none: (id: string) => Value | Error,
): ((id: string) => Promise<Value>) =>
  batch(async (ids: readonly string[]) => {
    const found = await read([...new Set(ids)]);
    return ids.map((id) => found.get(id) ?? none(id));
  });
