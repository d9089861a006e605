import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { RepeatedTask } from './repeated-task.js';

/** Background work, from the start of the application until its end. */
@Injectable()
export class Background implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly work: RepeatedTask[] = [];

  /** For constructors: work registered here begins when the application has started. */
  every(name: string, pauseMs: number, work: () => Promise<void>): RepeatedTask {
    const task = new RepeatedTask(name, pauseMs, work);
    this.work.push(task);
    return task;
  }

  onApplicationBootstrap(): void {
    for (const each of this.work) each.start();
  }

  /** Runs after the features stop and before the database closes; resolves when the current rounds have ended. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.work.map((each) => each.stop()));
  }
}
