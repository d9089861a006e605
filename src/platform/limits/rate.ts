import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../errors/errors.js';
import { counting } from './counts.js';
import type { Quotas } from './quotas.js';

/** The limits of a rate. */
export interface RateBound {
  readonly perMinute: number;
  readonly perHour: number;
  /** What is counted, as named in the message, such as `messages`. */
  readonly things: string;
}

/** Limits how often each user does something, counted in this process only. */
export class Rate {
  private readonly minute: RateLimiterMemory;
  private readonly hour: RateLimiterMemory;

  constructor(private readonly bound: RateBound) {
    this.minute = new RateLimiterMemory({
      keyPrefix: `${bound.things}-per-minute`,
      points: bound.perMinute,
      duration: 60,
    });
    this.hour = new RateLimiterMemory({
      keyPrefix: `${bound.things}-per-hour`,
      points: bound.perHour,
      duration: 3600,
    });
  }

  /** Counts an attempt before it is made, so that simultaneous ones count as well. Throws RATE_LIMITED. */
  async count(userId: string, quotas: Quotas): Promise<void> {
    for (const limiter of [this.minute, this.hour]) {
      const counted = await counting(limiter, userId);
      quotas.note(limiter, counted);
      if (counted.consumedPoints > limiter.points) throw this.refusal(limiter.points, counted);
    }
  }

  private refusal(limit: number, { msBeforeNext }: RateLimiterRes): DomainError {
    const { things, perMinute, perHour } = this.bound;
    const retryAfter = Math.ceil(msBeforeNext / 1000);
    const message = `Too many ${things}: you may send ${perMinute} per minute and ${perHour} per hour. Try again in ${retryAfter} seconds.`;
    return new DomainError('RATE_LIMITED', message, { limit, retryAfter });
  }
}
