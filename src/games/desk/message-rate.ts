import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../../platform/errors.js';

const IN_A_MINUTE = 10;
const IN_AN_HOUR = 100;

/** How fast somebody may write, all games together. Counted in this process alone. */
@Injectable()
export class MessageRate {
  private readonly minute = new RateLimiterMemory({ points: IN_A_MINUTE, duration: 60 });
  private readonly hour = new RateLimiterMemory({ points: IN_AN_HOUR, duration: 3600 });

  /** Counts a message before it is stored, so that many at once count too. Throws RATE_LIMITED. */
  async count(userId: string): Promise<void> {
    try {
      await this.minute.consume(userId);
      await this.hour.consume(userId);
    } catch (limit) {
      if (!(limit instanceof RateLimiterRes)) throw limit;
      const retryAfter = Math.ceil(limit.msBeforeNext / 1000);
      const message = `You write too fast. Try again in ${retryAfter} seconds.`;
      throw new DomainError('RATE_LIMITED', message, { retryAfter });
    }
  }
}
