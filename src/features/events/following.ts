/** A part of a log, and whether more follows. */
export interface Part<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
  /** The cursor from which to go on where there is no item to go on from. */
  readonly end?: string;
}

const NOTHING: Part<never> = { items: [], hasMore: false };

/**
 * Follows a log from a position on until it is returned: `read` continues where it stopped, and each of `wakes` signals
 * that there may be more. The next part is read when the previous one is consumed.
 */
export class Following<T> implements AsyncIterableIterator<T> {
  private part: Part<T> = NOTHING;
  private at = 0;

  constructor(
    private readonly wakes: AsyncIterableIterator<unknown>,
    private readonly read: () => Promise<Part<T>>,
  ) {}

  async next(): Promise<IteratorResult<T>> {
    while (this.at === this.part.items.length) {
      if (!this.part.hasMore && (await this.wakes.next()).done) return { done: true, value: undefined };
      this.part = await this.read();
      this.at = 0;
    }
    return { done: false, value: this.part.items[this.at++]! };
  }

  async return(): Promise<IteratorResult<T>> {
    this.part = NOTHING;
    this.at = 0;
    await this.wakes.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
