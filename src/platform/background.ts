import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Every } from './every.js';

/** What goes on beside the answering of requests, from when the application has started until it ends. */
@Injectable()
export class Background implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly work: Every[] = [];

  /** For constructors: what is named while the application is made begins when all of it has started. */
  every(name: string, pauseMs: number, work: () => Promise<void>): void {
    this.work.push(new Every(name, pauseMs, work));
  }

  onApplicationBootstrap(): void {
    for (const each of this.work) each.start();
  }

  /** Behind the features and before the database: resolves when the rounds under way have ended. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.work.map((each) => each.stop()));
  }
}
