import { Logger } from '@nestjs/common';
import { DomainError } from './errors.js';

const MOST_IN_ONE_BATCH = 64;

interface Waiting<Item> {
  readonly item: Item;
  readonly resolve: (won: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits what is submitted while the last commit is under way as one batch, and what comes alone at once: no timers.
 * An item is answered only after its commit. A batch holds at most one item of a key, and its items come sorted by
 * key, so that two processes lock the same rows in the same order.
 */
export class GroupCommit<Item> {
  private queue: Waiting<Item>[] = [];
  private busy = false;
  private readonly logger = new Logger('GroupCommit');

  /**
   * `commitAll` writes a batch and returns the keys that won their guard; it writes all or nothing when it throws.
   * `commitAlone` is then tried once for each item; it must bear that its item was written after all.
   * At most `maxWaiting` items wait.
   */
  constructor(
    private readonly key: (item: Item) => string,
    private readonly commitAll: (items: readonly Item[]) => Promise<ReadonlySet<string>>,
    private readonly commitAlone: (item: Item) => Promise<boolean>,
    private readonly maxWaiting: number,
  ) {}

  /** True when the item was written, false when its guard did not hold. */
  submit(item: Item): Promise<boolean> {
    if (this.queue.length >= this.maxWaiting) {
      throw new DomainError(
        'OVERLOADED',
        'Too much is waiting to be stored. Send the same again in a moment.',
        {
          retryAfter: 1,
        },
      );
    }
    return new Promise((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      if (!this.busy) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    this.busy = true;
    while (this.queue.length > 0) await this.commitBatch(this.takeBatch());
    this.busy = false;
  }

  private takeBatch(): readonly Waiting<Item>[] {
    const batch = new Map<string, Waiting<Item>>();
    const rest: Waiting<Item>[] = [];
    for (const waiting of this.queue) {
      const key = this.key(waiting.item);
      if (batch.size < MOST_IN_ONE_BATCH && !batch.has(key)) batch.set(key, waiting);
      else rest.push(waiting);
    }
    this.queue = rest;
    return [...batch].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, waiting]) => waiting);
  }

  private async commitBatch(batch: readonly Waiting<Item>[]): Promise<void> {
    try {
      const won = await this.commitAll(batch.map(({ item }) => item));
      for (const { item, resolve } of batch) resolve(won.has(this.key(item)));
    } catch (error) {
      this.logger.warn(`A batch of ${batch.length} failed and goes on one by one: ${String(error)}`);
      await Promise.all(
        batch.map(({ item, resolve, reject }) => this.commitAlone(item).then(resolve, reject)),
      );
    }
  }
}
