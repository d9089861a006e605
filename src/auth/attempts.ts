import { createParamDecorator, Injectable, type ExecutionContext } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../platform/errors.js';
import { requestOf } from './viewer.js';

const WINDOW_SECONDS = 15 * 60;
const WRONG_BY_NAME = 10;
const WRONG_BY_ADDRESS = 100;

/** Where a request comes from; behind a proxy only with TRUST_PROXY. */
export const Address = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context)?.ip ?? '',
);

/**
 * Slows the guessing of passwords: wrong ones count against an address, and against a name from that address, so
 * that nobody can lock out somebody else. Counted in this process alone.
 */
@Injectable()
export class Attempts {
  private readonly byName = new RateLimiterMemory({ points: WRONG_BY_NAME, duration: WINDOW_SECONDS });
  private readonly byAddress = new RateLimiterMemory({ points: WRONG_BY_ADDRESS, duration: WINDOW_SECONDS });

  /**
   * Counts an attempt before it is made, so that many at once count too; `username` is null where nobody can have the
   * name. Throws RATE_LIMITED.
   */
  async begin(address: string, username: string | null): Promise<void> {
    try {
      await this.byAddress.consume(address);
      if (username !== null) await this.byName.consume(`${address} ${username}`);
    } catch (limit) {
      if (!(limit instanceof RateLimiterRes)) throw limit;
      const retryAfter = Math.ceil(limit.msBeforeNext / 1000);
      const message = `Too many wrong passwords. Try again in ${retryAfter} seconds.`;
      throw new DomainError('RATE_LIMITED', message, { retryAfter });
    }
  }

  /** The password was right: the attempt does not count. */
  async succeeded(address: string, username: string): Promise<void> {
    await this.byAddress.reward(address);
    await this.byName.delete(`${address} ${username}`);
  }
}
