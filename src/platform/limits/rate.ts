import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../errors/errors.js';

/** The limits of a rate. */
export interface RateBound {
  readonly perMinute: number;
  readonly perHour: number;
  /** What is counted, as named in the message, such as `messages`. */
  readonly things: string;
}

const MINUTE_MS = 60_000;

/** Limits how often each user does something, counted in this process only. */
export class Rate {
  private readonly minute: RateLimiterMemory;
  private readonly hour: RateLimiterMemory;

  constructor(private readonly bound: RateBound) {
    this.minute = new RateLimiterMemory({ points: bound.perMinute, duration: 60 });
    this.hour = new RateLimiterMemory({ points: bound.perHour, duration: 3600 });
  }

  /** Counts an attempt before it is made, so that simultaneous ones count as well. Throws RATE_LIMITED. */
  async count(userId: string): Promise<void> {
    try {
      await this.minute.consume(userId);
      await this.hour.consume(userId);
    } catch (limit) {
      if (!(limit instanceof RateLimiterRes)) throw limit;
      throw this.refusal(limit);
    }
  }

  private refusal({ msBeforeNext, consumedPoints }: RateLimiterRes): DomainError {
    const { things, perMinute, perHour } = this.bound;
    const retryAfter = Math.ceil(msBeforeNext / 1000);
    const limit = msBeforeNext > MINUTE_MS || consumedPoints > perHour ? perHour : perMinute;
    const message = `Too many ${things}: you may send ${perMinute} per minute and ${perHour} per hour. Try again in ${retryAfter} seconds.`;
    return new DomainError('RATE_LIMITED', message, { limit, retryAfter });
  }
}
