import { DomainError } from '../errors/errors.js';
import { Rotation, type Party } from './rotation.js';

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: DomainError) => void;
}

const busy = (): DomainError =>
  new DomainError('OVERLOADED', 'The server is too busy to process the request. Try again in 1 second.', {
    retryAfter: 1,
  });

/**
 * Runs a limited number of costly tasks at once, while a limited number wait. Addresses take turns, and within each its
 * users, so that neither a client with many tasks nor an address with many accounts delays all others.
 */
export class FairQueue {
  private running = 0;
  private waiting = 0;
  /** By address; the next address comes first. */
  private readonly queues = new Map<string, Rotation<Waiting>>();

  constructor(
    private readonly atOnce: number,
    private readonly waitingMax: number,
    private readonly waitingMaxOfOne = waitingMax,
  ) {}

  /**
   * Runs the task when it is its turn. Throws OVERLOADED if too many tasks wait, RATE_LIMITED if too many of them are of
   * this address.
   */
  async run<T>(party: Party, task: () => Promise<T>): Promise<T> {
    if (this.running < this.atOnce) this.running += 1;
    else await this.wait(party);
    try {
      return await task();
    } finally {
      this.next();
    }
  }

  private wait({ address, user }: Party): Promise<void> {
    const queue = this.queues.get(address) ?? new Rotation<Waiting>();
    if (this.waiting >= this.waitingMax) this.makeRoom(queue.size);
    if (queue.size >= this.waitingMaxOfOne) {
      const message = `Your address already has ${queue.size} requests waiting, the maximum. Try again in 1 second.`;
      throw new DomainError('RATE_LIMITED', message, { limit: this.waitingMaxOfOne, retryAfter: 1 });
    }
    this.waiting += 1;
    this.queues.set(address, queue);
    return new Promise((resolve, reject) => queue.push(user, { resolve, reject }));
  }

  /**
   * Drops the last task of the address with the longest queue, in favour of an address with fewer; throws OVERLOADED if
   * there is none.
   */
  private makeRoom(own: number): void {
    const none = new Rotation<Waiting>();
    const longest = [...this.queues.values()].reduce((a, b) => (b.size > a.size ? b : a), none);
    if (longest.size <= own + 1) throw busy();
    longest.pop()!.reject(busy());
    this.waiting -= 1;
  }

  // Passes the slot on directly, so that no new task can take it in between.
  private next(): void {
    for (const [address, queue] of this.queues) {
      this.queues.delete(address);
      const next = queue.shift()!;
      // A Map keeps insertion order, so the address goes to the end.
      if (queue.size > 0) this.queues.set(address, queue);
      this.waiting -= 1;
      next.resolve();
      return;
    }
    this.running -= 1;
  }
}
