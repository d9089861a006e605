import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from './errors.js';

/** How often something may be done. */
export interface RateBound {
  readonly perMinute: number;
  readonly perHour: number;
  /** What is counted, as it stands in a refusal: `messages`. */
  readonly things: string;
}

/** How often each user does something, counted in this process alone. */
export class Rate {
  private readonly minute: RateLimiterMemory;
  private readonly hour: RateLimiterMemory;

  constructor(private readonly bound: RateBound) {
    this.minute = new RateLimiterMemory({ points: bound.perMinute, duration: 60 });
    this.hour = new RateLimiterMemory({ points: bound.perHour, duration: 3600 });
  }

  /** Counts one more before it is done, so that many at once count too. Throws RATE_LIMITED. */
  async count(userId: string): Promise<void> {
    try {
      await this.minute.consume(userId);
      await this.hour.consume(userId);
    } catch (limit) {
      if (!(limit instanceof RateLimiterRes)) throw limit;
      const { things, perMinute, perHour } = this.bound;
      const retryAfter = Math.ceil(limit.msBeforeNext / 1000);
      const message = `Too many ${things}: you may send ${perMinute} per minute and ${perHour} per hour. Try again in ${retryAfter} seconds.`;
      throw new DomainError('RATE_LIMITED', message, { retryAfter });
    }
  }
}
