import { Inject, Injectable } from '@nestjs/common';
import { FairQueue } from '../../platform/fair-queue.js';
import type { Config } from '../../config.js';
import { CONFIG } from '../../platform/config.module.js';
import { DomainError } from '../../platform/errors.js';
import { Rate } from '../../platform/rate.js';

type Limits = Pick<Config, 'importsPerMinute' | 'importsPerHour' | 'maxImportsWaiting'>;

/**
 * When a text is read: one at a time, one of a user at a time, and not too many of a user in an hour. Counted in this
 * process alone.
 */
@Injectable()
export class ImportTurns {
  private readonly rate: Rate;
  private readonly queue: FairQueue;
  private readonly reading = new Set<string>();

  constructor(@Inject(CONFIG) { importsPerMinute, importsPerHour, maxImportsWaiting }: Limits) {
    this.rate = new Rate({ things: 'imports', perMinute: importsPerMinute, perHour: importsPerHour });
    this.queue = new FairQueue(1, maxImportsWaiting);
  }

  /** Runs the task of a user when it is its turn. Throws RATE_LIMITED, OVERLOADED. */
  async run<T>(userId: string, task: () => Promise<T>): Promise<T> {
    if (this.reading.has(userId)) {
      throw new DomainError('RATE_LIMITED', 'Another text of yours is being read. Try again in 1 second.', {
        retryAfter: 1,
      });
    }
    this.reading.add(userId);
    try {
      await this.rate.count(userId);
      return await this.queue.run(userId, task);
    } finally {
      this.reading.delete(userId);
    }
  }
}
