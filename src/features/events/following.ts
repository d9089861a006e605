/** A part of a log, and whether there is more of it already. */
export interface Part<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

/**
 * A log from a place on, to its end and further, until it is returned: `read` goes on where it has stopped, and each of
 * `wakes` says that there may be more. No further part is read before this one is taken.
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
