import { Inject, Injectable } from '@nestjs/common';
import { FairQueue } from '../../platform/limits/fair-queue.js';
import type { Config } from '../../config.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { DomainError } from '../../platform/errors/errors.js';
import type { Party } from '../../platform/limits/rotation.js';
import type { Quotas } from '../../platform/limits/quotas.js';
import { Rate } from '../../platform/limits/rate.js';

type Limits = Pick<Config, 'importsPerMinute' | 'importsPerHour' | 'maxImportsWaiting'>;

/** Reads one text at a time, at most one of each user, and limits their rate. Counts in this process only. */
@Injectable()
export class ImportQueue {
  private readonly rate: Rate;
  private readonly queue: FairQueue;
  private readonly reading = new Set<string>();

  constructor(@Inject(CONFIG) { importsPerMinute, importsPerHour, maxImportsWaiting }: Limits) {
    this.rate = new Rate({ things: 'imports', perMinute: importsPerMinute, perHour: importsPerHour });
    this.queue = new FairQueue(1, maxImportsWaiting);
  }

  /** Runs a user's task in turn. Throws RATE_LIMITED, OVERLOADED. */
  async run<T>(client: Party, quotas: Quotas, task: () => Promise<T>): Promise<T> {
    const { user: userId } = client;
    if (this.reading.has(userId)) {
      const message = 'Another import of yours is still being read. Try again in 1 second.';
      throw new DomainError('RATE_LIMITED', message, { limit: 1, retryAfter: 1 });
    }
    this.reading.add(userId);
    try {
      await this.rate.count(userId, quotas);
      return await this.queue.run(client, task);
    } finally {
      this.reading.delete(userId);
    }
  }
}
