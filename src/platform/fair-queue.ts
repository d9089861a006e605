import { DomainError } from './errors.js';

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: DomainError) => void;
}

const busy = (): DomainError =>
  new DomainError('OVERLOADED', 'The server is busy: try again in a moment.', { retryAfter: 1 });

/**
 * Lets a bounded number of costly tasks run at once, and a bounded number wait for it. Those who wait take turns: who
 * sends many waits behind himself, and not everybody behind him.
 */
export class FairQueue {
  private running = 0;
  private waiting = 0;
  /** By client, the one whose turn is next at the beginning. */
  private readonly queues = new Map<string, Waiting[]>();

  constructor(
    private readonly atOnce: number,
    private readonly waitingMax: number,
    private readonly waitingMaxOfOne = waitingMax,
  ) {}

  /** Runs the task when it is the client's turn. Throws OVERLOADED when too many wait, RATE_LIMITED when too many are the client's. */
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
      const message = `${queue.length} requests of yours wait already: try again in a moment.`;
      throw new DomainError('RATE_LIMITED', message, { retryAfter: 1 });
    }
    this.waiting += 1;
    this.queues.set(client, queue);
    return new Promise((resolve, reject) => queue.push({ resolve, reject }));
  }

  /** Whoever waits behind most of their own gives way to a client with fewer; throws OVERLOADED when nobody does. */
  private makeRoom(own: number): void {
    const longest = [...this.queues.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    if (longest.length <= own + 1) throw busy();
    longest.pop()!.reject(busy());
    this.waiting -= 1;
  }

  // The turn is handed on rather than given back, so that nobody can slip in between.
  private next(): void {
    for (const [client, queue] of this.queues) {
      this.queues.delete(client);
      const next = queue.shift()!;
      // A Map keeps the order of insertion: the client comes behind all others.
      if (queue.length > 0) this.queues.set(client, queue);
      this.waiting -= 1;
      next.resolve();
      return;
    }
    this.running -= 1;
  }
}
