import { Logger } from '@nestjs/common';
import { refusalOf } from './database/violations.js';
import type { ErrorCode } from './error-codes.js';
import { DomainError } from './errors.js';

const MOST_IN_ONE_BATCH = 64;

/** How long after a try that found its row held the next one comes, and for how long it is tried. */
const HELD_PAUSE_MS = 25;
const HELD_FOR_MS = 3_000;

/** A commit that takes longer than this is a sign that nothing can be stored. */
const STALLED_MS = 4_000;

/** For so long a refusal is held against the database while nobody tries again. */
const REMEMBERED_MS = 60_000;

/** Refusals of the database that the next try would meet, too. */
const LASTING: readonly ErrorCode[] = ['STORAGE_FULL', 'UNAVAILABLE'];

interface Waiting<Item> {
  readonly item: Item;
  /** Since when its row is known to be held. */
  heldSince?: number;
  readonly resolve: (won: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** What became of a batch, by key; whatever is in neither set lost its guard. */
export interface Committed {
  readonly won: ReadonlySet<string>;
  /** Rows that another transaction held: nothing is known of these, and nothing of them was written. */
  readonly held: ReadonlySet<string>;
}

/**
 * Commits what is submitted while the last commit is under way as one batch, and what comes alone at once. An item is
 * answered only after its commit. A batch holds at most one item of a key, and its items come sorted by key, so that two
 * processes lock the same rows in the same order. An item whose row is held steps aside and tries again: nobody else
 * waits for it.
 */
export class GroupCommit<Item> {
  private queue: Waiting<Item>[] = [];
  private aside = 0;
  private busySince: number | null = null;
  private refused: { readonly message: string; readonly at: number } | null = null;
  private readonly logger = new Logger('GroupCommit');

  /**
   * `commitAll` writes a batch; it writes all or nothing when it throws. `commitAlone` is then tried for each item; it
   * must bear that its item was written after all, and answers null where its row is held. At most `maxWaiting` items wait.
   */
  constructor(
    private readonly key: (item: Item) => string,
    private readonly commitAll: (items: readonly Item[]) => Promise<Committed>,
    private readonly commitAlone: (item: Item) => Promise<boolean | null>,
    private readonly maxWaiting: number,
  ) {}

  /** True when the item was written, false when its guard did not hold. Throws OVERLOADED. */
  submit(item: Item): Promise<boolean> {
    if (this.queue.length + this.aside >= this.maxWaiting) {
      throw new DomainError(
        'OVERLOADED',
        'Too much is waiting to be stored. Send the same again in a moment.',
        { retryAfter: 1 },
      );
    }
    return new Promise((resolve, reject) => this.wait({ item, resolve, reject }));
  }

  /** Why nothing is stored at present, in words; null: nothing is known against it. */
  trouble(): string | null {
    if (this.refused !== null && Date.now() - this.refused.at < REMEMBERED_MS) return this.refused.message;
    const ms = this.busySince === null ? 0 : Date.now() - this.busySince;
    return ms < STALLED_MS ? null : `Nothing has been stored for ${Math.floor(ms / 1000)} seconds.`;
  }

  private wait(waiting: Waiting<Item>): void {
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
      const { won, held } = await this.commitAll(batch.map(({ item }) => item));
      this.refused = null;
      for (const waiting of batch) {
        const key = this.key(waiting.item);
        if (held.has(key)) this.stepAside(waiting, () => this.wait(waiting));
        else waiting.resolve(won.has(key));
      }
    } catch (error) {
      this.logger.warn(`A batch of ${batch.length} failed and goes on one by one: ${String(error)}`);
      // Nobody else waits for them: what makes one of them wait would hold up the next batch, too.
      for (const waiting of batch) void this.alone(waiting);
    }
  }

  private async alone(waiting: Waiting<Item>): Promise<void> {
    const { item, resolve, reject } = waiting;
    this.aside++;
    try {
      const won = await this.commitAlone(item);
      this.refused = null;
      if (won === null) this.stepAside(waiting, () => void this.alone(waiting));
      else resolve(won);
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

  private stepAside(waiting: Waiting<Item>, again: () => void): void {
    waiting.heldSince ??= Date.now();
    if (Date.now() - waiting.heldSince > HELD_FOR_MS) {
      waiting.reject(
        new DomainError('OVERLOADED', 'Something else holds this game. Send the same again in a moment.', {
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
