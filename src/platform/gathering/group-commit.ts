import { Logger } from '@nestjs/common';
import { refusalOf } from '../database/violations.js';
import type { ErrorCode } from '../errors/error-codes.js';
import { DomainError } from '../errors/errors.js';

const MOST_IN_ONE_BATCH = 64;

/** The pause before retrying a locked row, and how long after its submission an item is retried. */
const HELD_PAUSE_MS = 25;
const HELD_FOR_MS = 3_000;

/** How long a refusal counts as a fault of the database if nothing is tried again. */
const REMEMBERED_MS = 60_000;

/** Refusals that the next try would get as well. */
const LASTING: readonly ErrorCode[] = ['STORAGE_FULL', 'UNAVAILABLE'];

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly since: number;
  isOver: boolean;
  readonly resolve: (result: Result | null) => void;
  readonly reject: (error: unknown) => void;
}

/** The results of a batch, by key; an item without any was rejected by its guard. */
export interface Committed<Result> {
  readonly won: ReadonlyMap<string, Result>;
  /** Rows locked by another transaction, of which nothing was written. */
  readonly held: ReadonlySet<string>;
}

/**
 * Commits all items that are submitted during a commit as one batch, and a single item at once. An item is answered
 * after its commit. A batch holds one item per key, sorted by key, so that two processes lock rows in the same order.
 * An item whose row is locked is retried separately, so that the others need not wait.
 */
export class GroupCommit<Item, Result> {
  private queue: Waiting<Item, Result>[] = [];
  private aside = 0;
  private isBusy = false;
  private refused: { readonly message: string; readonly at: number } | null = null;
  private readonly logger = new Logger('GroupCommit');

  /**
   * `commitAll` writes a batch, or nothing if it throws; then `commitAlone` is tried for each item. `commitAlone` must
   * cope with an item that was written after all. At most `maxWaiting` items wait. One that is not stored after
   * `patienceMs` is refused; it may be stored all the same.
   */
  constructor(
    private readonly key: (item: Item) => string,
    private readonly commitAll: (items: readonly Item[]) => Promise<Committed<Result>>,
    private readonly commitAlone: (item: Item) => Promise<Committed<Result>>,
    private readonly maxWaiting: number,
    private readonly patienceMs = 30_000,
  ) {}

  /** The result of the item once it is written, null if its guard rejected it. Throws OVERLOADED, UNAVAILABLE. */
  submit(item: Item): Promise<Result | null> {
    if (this.queue.length + this.aside >= this.maxWaiting) {
      throw new DomainError(
        'OVERLOADED',
        'Too many changes are waiting to be stored. Try again in 1 second.',
        { retryAfter: 1 },
      );
    }
    return new Promise((resolve, reject) => {
      const over = <Value>(settle: (value: Value) => void) => {
        return (value: Value) => {
          clearTimeout(timer);
          waiting.isOver = true;
          settle(value);
        };
      };
      const waiting = {
        item,
        since: Date.now(),
        isOver: false,
        resolve: over(resolve),
        reject: over(reject),
      };
      const timer = setTimeout(() => waiting.reject(tooLate()), this.patienceMs);
      this.wait(waiting);
    });
  }

  /** Why nothing can be stored at present, as a text, or null. */
  trouble(): string | null {
    const isRefused = this.refused !== null && Date.now() - this.refused.at < REMEMBERED_MS;
    return isRefused ? this.refused!.message : null;
  }

  private wait(waiting: Waiting<Item, Result>): void {
    this.queue.push(waiting);
    if (!this.isBusy) void this.drain();
  }

  private async drain(): Promise<void> {
    this.isBusy = true;
    while (this.queue.length > 0) await this.commitBatch(this.takeBatch());
    this.isBusy = false;
  }

  private takeBatch(): readonly Waiting<Item, Result>[] {
    const batch = new Map<string, Waiting<Item, Result>>();
    const rest: Waiting<Item, Result>[] = [];
    for (const waiting of this.queue.filter(({ isOver }) => !isOver)) {
      const key = this.key(waiting.item);
      if (batch.size < MOST_IN_ONE_BATCH && !batch.has(key)) batch.set(key, waiting);
      else rest.push(waiting);
    }
    this.queue = rest;
    return [...batch].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, waiting]) => waiting);
  }

  private async commitBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const committed = await this.commitAll(batch.map(({ item }) => item));
      this.refused = null;
      for (const waiting of batch) this.answer(waiting, committed, () => this.wait(waiting));
    } catch (error) {
      this.logger.warn(`A batch of ${batch.length} failed and goes on one by one: ${String(error)}`);
      // Not awaited, because a locked row would delay the next batch.
      for (const waiting of batch) void this.alone(waiting);
    }
  }

  private async alone(waiting: Waiting<Item, Result>): Promise<void> {
    const { item, reject } = waiting;
    if (waiting.isOver) return;
    this.aside++;
    try {
      const committed = await this.commitAlone(item);
      this.refused = null;
      this.answer(waiting, committed, () => void this.alone(waiting));
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal !== null && LASTING.includes(refusal.code)) {
        this.refused = { message: refusal.message, at: Date.now() };
      }
      reject(error);
    } finally {
      this.aside--;
    }
  }

  private answer(waiting: Waiting<Item, Result>, { won, held }: Committed<Result>, again: () => void): void {
    const key = this.key(waiting.item);
    if (held.has(key)) this.stepAside(waiting, again);
    else waiting.resolve(won.get(key) ?? null);
  }

  private stepAside(waiting: Waiting<Item, Result>, again: () => void): void {
    if (Date.now() - waiting.since > HELD_FOR_MS) {
      waiting.reject(
        new DomainError('OVERLOADED', 'Another change to this game is in progress. Try again in 1 second.', {
          retryAfter: 1,
        }),
      );
      return;
    }
    this.aside++;
    setTimeout(() => {
      this.aside--;
      again();
    }, HELD_PAUSE_MS);
  }
}

const tooLate = (): DomainError =>
  new DomainError(
    'UNAVAILABLE',
    'The database has not confirmed in time that this is stored. Try again in 5 seconds: what is stored is not done twice.',
    { retryAfter: 5 },
  );
