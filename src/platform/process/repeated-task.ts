import { Logger } from '@nestjs/common';

/** Repeats work with a pause in between; a failure is logged and the next round tries again. */
export class RepeatedTask {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private readonly logger: Logger;

  constructor(
    name: string,
    private readonly pauseMs: number,
    private readonly work: () => Promise<void>,
  ) {
    this.logger = new Logger(name);
  }

  start(): void {
    this.timer = setTimeout(() => {
      this.running = this.round();
    }, this.pauseMs);
  }

  /** Resolves when the current round has ended. */
  async stop(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    await this.running;
  }

  private async round(): Promise<void> {
    try {
      await this.work();
    } catch (error) {
      this.logger.error(error);
    }
    if (this.timer !== null) this.start();
  }
}
