import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Turns } from '../auth/turns.js';
import { DomainError } from '../platform/errors.js';

const IN_A_MINUTE = 20;
const IN_AN_HOUR = 200;
const WAITING_MAX = 20;

/**
 * When a text is read: one at a time, one of a user at a time, and not too many of a user in an hour. Counted in this
 * process alone.
 */
@Injectable()
export class ImportTurns {
  private readonly minute = new RateLimiterMemory({ points: IN_A_MINUTE, duration: 60 });
  private readonly hour = new RateLimiterMemory({ points: IN_AN_HOUR, duration: 3600 });
  private readonly turns = new Turns(1, WAITING_MAX);
  private readonly reading = new Set<string>();

  /** Runs the task of a user when it is its turn. Throws RATE_LIMITED, OVERLOADED. */
  async run<T>(userId: string, task: () => Promise<T>): Promise<T> {
    if (this.reading.has(userId)) {
      throw limited('Another text of yours is being read', 1);
    }
    this.reading.add(userId);
    try {
      await this.count(userId);
      return await this.turns.run(task);
    } finally {
      this.reading.delete(userId);
    }
  }

  private async count(userId: string): Promise<void> {
    try {
      await this.minute.consume(userId);
      await this.hour.consume(userId);
    } catch (limit) {
      if (!(limit instanceof RateLimiterRes)) throw limit;
      throw limited('You import too fast', Math.ceil(limit.msBeforeNext / 1000));
    }
  }
}

const limited = (why: string, retryAfter: number): DomainError =>
  new DomainError('RATE_LIMITED', `${why}. Try again in ${retryAfter} seconds.`, { retryAfter });
