import { createParamDecorator, Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../config.js';
import { CONFIG } from '../platform/config.module.js';
import { DomainError } from '../platform/errors.js';
import { requestOf } from './viewer.js';

type Limits = Pick<Config, 'maxWrongPasswords' | 'maxWrongPasswordsPerAddress' | 'wrongPasswordSeconds'>;

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
  private readonly byName: RateLimiterMemory;
  private readonly byAddress: RateLimiterMemory;

  constructor(@Inject(CONFIG) config: Limits) {
    const duration = config.wrongPasswordSeconds;
    this.byName = new RateLimiterMemory({ points: config.maxWrongPasswords, duration });
    this.byAddress = new RateLimiterMemory({ points: config.maxWrongPasswordsPerAddress, duration });
  }

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
