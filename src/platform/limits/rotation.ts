/** Who waits: an address (IPv6 by /64), and within it a user, or '' for a viewer without an account. */
export interface Party {
  readonly address: string;
  readonly user: string;
}

/** Items of several owners, who take turns: each next item is that of the owner who has waited longest for one. */
export class Rotation<T> {
  /** How many items there are. */
  size = 0;
  /** A Map keeps insertion order: the next owner comes first. */
  private readonly queues = new Map<string, T[]>();

  push(owner: string, item: T): void {
    const queue = this.queues.get(owner);
    if (queue === undefined) this.queues.set(owner, [item]);
    else queue.push(item);
    this.size += 1;
  }

  /** The next item; undefined if there is none. */
  next(): T | undefined {
    for (const [first] of this.queues.values()) return first;
    return undefined;
  }

  /** Removes and returns the next item. */
  shift(): T | undefined {
    for (const [owner, queue] of this.queues) {
      this.queues.delete(owner);
      if (queue.length > 1) this.queues.set(owner, queue.slice(1));
      this.size -= 1;
      return queue[0];
    }
    return undefined;
  }

  /** Removes and returns the last item of the owner with most. */
  pop(): T | undefined {
    let longest: readonly [string, T[]] | undefined;
    for (const entry of this.queues)
      if (longest === undefined || entry[1].length > longest[1].length) longest = entry;
    if (longest === undefined) return undefined;
    const [owner, queue] = longest;
    if (queue.length === 1) this.queues.delete(owner);
    this.size -= 1;
    return queue.pop();
  }
}
