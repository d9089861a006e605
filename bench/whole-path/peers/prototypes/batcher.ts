type Waiting<T, U> = { item: T; resolve: (result: U) => void; reject: (error: unknown) => void };

const MOST_AT_ONCE = 256;
/** While a batch is running, this many items must wait before another one starts. */
const WORTH_ANOTHER = 8;

/** Collects concurrent requests of several clients and handles them together. */
export class Batcher<T, U> {
  private readonly queue: Waiting<T, U>[] = [];
  private running = 0;

  constructor(
    private readonly work: (items: T[]) => Promise<(U | undefined)[]>,
    private readonly parallel: number,
  ) {}

  submit(item: T): Promise<U> {
    return new Promise((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      const wanted = this.running === 0 || this.queue.length >= WORTH_ANOTHER;
      if (this.running >= this.parallel || !wanted) return;
      this.running++;
      setImmediate(() => this.run());
    });
  }

  private async run(): Promise<void> {
    while (this.queue.length > 0) await this.take(this.queue.splice(0, MOST_AT_ONCE));
    this.running--;
  }

  /** An item without a result met a game that had changed. */
  private async take(batch: Waiting<T, U>[]): Promise<void> {
    try {
      const results = await this.work(batch.map(({ item }) => item));
      batch.forEach(({ resolve, reject }, i) => {
        const result = results[i];
        if (result === undefined) reject(new Error('conflict'));
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
