import { Logger } from '@nestjs/common';
import { refusalOf } from '../database/violations.js';
import type { ErrorCode } from '../errors/error-codes.js';
import { DomainError } from '../errors/errors.js';

const MOST_IN_ONE_BATCH = 64;

/** The pause before retrying a locked row, and the longest time of retrying. */
const HELD_PAUSE_MS = 25;
const HELD_FOR_MS = 3_000;

/** A commit that takes longer counts as a fault of the database. */
const STALLED_MS = 4_000;

/** How long a refusal counts as a fault of the database if nothing is tried again. */
const REMEMBERED_MS = 60_000;

/** Refusals that the next try would get as well. */
const LASTING: readonly ErrorCode[] = ['STORAGE_FULL', 'UNAVAILABLE'];

interface Waiting<Item, Result> {
  readonly item: Item;
  /** Since when its row is known to be locked. */
  heldSince?: number;
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
  private busySince: number | null = null;
  private refused: { readonly message: string; readonly at: number } | null = null;
  private readonly logger = new Logger('GroupCommit');

  /**
   * `commitAll` writes a batch, or nothing if it throws; then `commitAlone` is tried for each item. `commitAlone` must
   * cope with an item that was written after all. At most `maxWaiting` items wait.
   */
  constructor(
    private readonly key: (item: Item) => string,
    private readonly commitAll: (items: readonly Item[]) => Promise<Committed<Result>>,
    private readonly commitAlone: (item: Item) => Promise<Committed<Result>>,
    private readonly maxWaiting: number,
  ) {}

  /** The result of the item once it is written, null if its guard rejected it. Throws OVERLOADED. */
  submit(item: Item): Promise<Result | null> {
    if (this.queue.length + this.aside >= this.maxWaiting) {
      throw new DomainError(
        'OVERLOADED',
        'Too many changes are waiting to be stored. Try again in 1 second.',
        { retryAfter: 1 },
      );
    }
    return new Promise((resolve, reject) => this.wait({ item, resolve, reject }));
  }

  /** Why nothing can be stored at present, as a text, or null. */
  trouble(): string | null {
    if (this.refused !== null && Date.now() - this.refused.at < REMEMBERED_MS) return this.refused.message;
    const ms = this.busySince === null ? 0 : Date.now() - this.busySince;
    return ms < STALLED_MS ? null : `Nothing has been stored for ${Math.floor(ms / 1000)} seconds.`;
  }

  private wait(waiting: Waiting<Item, Result>): void {
    this.queue.push(waiting);
    if (this.busySince === null) void this.drain();
  }

  private async drain(): Promise<void> {
    while (this.queue.length > 0) {
      this.busySince = Date.now();
      await this.commitBatch(this.takeBatch());
    }
    this.busySince = null;
  }

  private takeBatch(): readonly Waiting<Item, Result>[] {
    const batch = new Map<string, Waiting<Item, Result>>();
    const rest: Waiting<Item, Result>[] = [];
    for (const waiting of this.queue) {
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
    waiting.heldSince ??= Date.now();
    if (Date.now() - waiting.heldSince > HELD_FOR_MS) {
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
