import { Logger } from '@nestjs/common';

/** Repeats work with a pause in between; a failure is logged and the next round tries again. */
export class RepeatedTask {
  /** Null before the start and after the end. */
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private isRunning = false;
  private beganAt = -Infinity;
  private dueAt = Infinity;
  /** When a round is wanted that cannot begin because one is running. */
  private wantedAt = Infinity;
  private readonly logger: Logger;

  constructor(
    name: string,
    private readonly pauseMs: number,
    private readonly work: () => Promise<void>,
  ) {
    this.logger = new Logger(name);
  }

  start(): void {
    this.plan(performance.now() + this.pauseMs);
  }

  /** Lets the next round begin now, or as soon as the last one began `spacingMs` ago and has ended. */
  hurry(spacingMs: number): void {
    if (this.timer === null) return;
    const at = this.beganAt + spacingMs;
    if (this.isRunning) this.wantedAt = Math.min(this.wantedAt, at);
    else if (at < this.dueAt) this.plan(at);
  }

  /** Resolves when the current round has ended. */
  async stop(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    await this.running;
  }

  private plan(at: number): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.dueAt = at;
    this.timer = setTimeout(
      () => {
        this.running = this.round();
      },
      Math.max(0, at - performance.now()),
    );
  }

  private async round(): Promise<void> {
    this.beganAt = performance.now();
    this.wantedAt = Infinity;
    this.isRunning = true;
    try {
      await this.work();
    } catch (error) {
      this.logger.error(error);
    }
    this.isRunning = false;
    if (this.timer !== null) this.plan(Math.min(this.wantedAt, performance.now() + this.pauseMs));
  }
}
