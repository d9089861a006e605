/** A part of a log, and whether more follows. */
export interface Part<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

/**
 * Follows a log from a position on until it is returned: `read` continues where it stopped, and each of `wakes` signals
 * that there may be more. The next part is read when the previous one is consumed.
 */
export class Following<T> implements AsyncIterableIterator<T> {
  private items: readonly T[] = [];
  private at = 0;
  private hasMore = false;

  constructor(
    private readonly wakes: AsyncIterableIterator<unknown>,
    private readonly read: () => Promise<Part<T>>,
  ) {}

  async next(): Promise<IteratorResult<T>> {
    while (this.at === this.items.length) {
      if (!this.hasMore && (await this.wakes.next()).done) return { done: true, value: undefined };
      ({ items: this.items, hasMore: this.hasMore } = await this.read());
      this.at = 0;
    }
    return { done: false, value: this.items[this.at++]! };
  }

  async return(): Promise<IteratorResult<T>> {
    await this.wakes.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
