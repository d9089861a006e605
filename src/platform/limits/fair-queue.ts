import { DomainError } from '../errors/errors.js';

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: DomainError) => void;
}

const busy = (): DomainError =>
  new DomainError('OVERLOADED', 'The server is too busy to process the request. Try again in 1 second.', {
    retryAfter: 1,
  });

/**
 * Runs a limited number of costly tasks at once, while a limited number wait. Clients take turns, so that a client with
 * many tasks does not delay all others.
 */
export class FairQueue {
  private running = 0;
  private waiting = 0;
  /** By client; the next client comes first. */
  private readonly queues = new Map<string, Waiting[]>();

  constructor(
    private readonly atOnce: number,
    private readonly waitingMax: number,
    private readonly waitingMaxOfOne = waitingMax,
  ) {}

  /**
   * Runs the task when it is the client's turn. Throws OVERLOADED if too many tasks wait, RATE_LIMITED if too many of
   * them are the client's.
   */
  async run<T>(client: string, task: () => Promise<T>): Promise<T> {
    if (this.running < this.atOnce) this.running += 1;
    else await this.wait(client);
    try {
      return await task();
    } finally {
      this.next();
    }
  }

  private wait(client: string): Promise<void> {
    const queue = this.queues.get(client) ?? [];
    if (this.waiting >= this.waitingMax) this.makeRoom(queue.length);
    if (queue.length >= this.waitingMaxOfOne) {
      const message = `You already have ${queue.length} requests waiting, the maximum. Try again in 1 second.`;
      throw new DomainError('RATE_LIMITED', message, { limit: this.waitingMaxOfOne, retryAfter: 1 });
    }
    this.waiting += 1;
    this.queues.set(client, queue);
    return new Promise((resolve, reject) => queue.push({ resolve, reject }));
  }

  /**
   * Drops the last task of the client with the longest queue, in favour of a client with fewer; throws OVERLOADED if
   * there is none.
   */
  private makeRoom(own: number): void {
    const longest = [...this.queues.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    if (longest.length <= own + 1) throw busy();
    longest.pop()!.reject(busy());
    this.waiting -= 1;
  }

  // Passes the slot on directly, so that no new task can take it in between.
  private next(): void {
    for (const [client, queue] of this.queues) {
      this.queues.delete(client);
      const next = queue.shift()!;
      // A Map keeps insertion order, so the client goes to the end.
      if (queue.length > 0) this.queues.set(client, queue);
      this.waiting -= 1;
      next.resolve();
      return;
    }
    this.running -= 1;
  }
}
