import { DomainError } from '../platform/errors.js';

/** Lets a bounded number of costly tasks run at once, and a bounded number wait for it. */
export class Turns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly atOnce: number,
    private readonly waitingMax: number,
  ) {}

  /** Runs the task when it is its turn; refuses it when too many wait already. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.running < this.atOnce) this.running += 1;
    else await this.wait();
    try {
      return await task();
    } finally {
      this.next();
    }
  }

  private wait(): Promise<void> {
    if (this.waiting.length >= this.waitingMax) {
      throw new DomainError('OVERLOADED', 'The server is busy: try again in a moment.', { retryAfter: 1 });
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  // The turn is handed on rather than given back, so that nobody can slip in between.
  private next(): void {
    const waiting = this.waiting.shift();
    if (waiting === undefined) this.running -= 1;
    else waiting();
  }
}
