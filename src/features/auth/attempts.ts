import { createParamDecorator, Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../../config.js';
import { addressKey } from '../../platform/addresses.js';
import { CONFIG } from '../../platform/config.module.js';
import { DomainError } from '../../platform/errors.js';
import { requestOf } from './viewer.js';

type Limits = Pick<
  Config,
  | 'maxWrongPasswords'
  | 'maxWrongPasswordsPerAddress'
  | 'maxWrongPasswordsPerName'
  | 'wrongPasswordSeconds'
  | 'registrationsPerHour'
>;

/** Where a request comes from; behind a proxy only with TRUST_PROXY. */
export const Address = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context)?.ip ?? '',
);

/** So many wrong passwords an address has of a name that many addresses try to guess. */
const OF_A_NAME_UNDER_ATTACK = 2;

/**
 * Slows the guessing of passwords: wrong ones count against an address, against a name from that address, and against a
 * name from anywhere. The last makes the second stricter and refuses nobody by itself, so that nobody can lock out
 * somebody else. Counted in this process alone.
 */
@Injectable()
export class Attempts {
  private readonly byNameAndAddress: RateLimiterMemory;
  private readonly byAddress: RateLimiterMemory;
  private readonly byName: RateLimiterMemory;
  private readonly registrations: RateLimiterMemory;

  constructor(@Inject(CONFIG) config: Limits) {
    const duration = config.wrongPasswordSeconds;
    this.byNameAndAddress = new RateLimiterMemory({ points: config.maxWrongPasswords, duration });
    this.byAddress = new RateLimiterMemory({ points: config.maxWrongPasswordsPerAddress, duration });
    this.byName = new RateLimiterMemory({ points: config.maxWrongPasswordsPerName, duration });
    this.registrations = new RateLimiterMemory({ points: config.registrationsPerHour, duration: 3600 });
  }

  /**
   * Counts an attempt before it is made, so that many at once count too; `username` is null where nobody can have the
   * name. Throws RATE_LIMITED.
   */
  async begin(address: string, username: string | null): Promise<void> {
    await limited('wrong passwords', async () => {
      await this.byAddress.consume(addressKey(address));
      if (username === null) return;
      const own = await this.byNameAndAddress.consume(keyOf(address, username));
      const all = await this.byName.penalty(username);
      const isUnderAttack = all.consumedPoints > this.byName.points;
      if (isUnderAttack && own.consumedPoints > OF_A_NAME_UNDER_ATTACK) throw tooMany('wrong passwords', own);
    });
  }

  /** The password was right: the attempt does not count. */
  async succeeded(address: string, username: string): Promise<void> {
    await this.byAddress.reward(addressKey(address));
    await this.byName.reward(username);
    await this.byNameAndAddress.delete(keyOf(address, username));
  }

  /** Nobody has looked at the password, for too much was waiting: the attempt does not count. */
  async unlooked(address: string, username: string | null): Promise<void> {
    await this.byAddress.reward(addressKey(address));
    if (username === null) return;
    await this.byName.reward(username);
    await this.byNameAndAddress.reward(keyOf(address, username));
  }

  /** Counts an account that is to be made. Throws RATE_LIMITED. */
  async register(address: string): Promise<void> {
    await limited('accounts from your address', () => this.registrations.consume(addressKey(address)));
  }

  /** It was not made after all. */
  async unregister(address: string): Promise<void> {
    await this.registrations.reward(addressKey(address));
  }
}

const keyOf = (address: string, username: string) => `${addressKey(address)} ${username}`;

async function limited(things: string, consume: () => Promise<unknown>): Promise<void> {
  try {
    await consume();
  } catch (limit) {
    throw limit instanceof RateLimiterRes ? tooMany(things, limit) : limit;
  }
}

function tooMany(things: string, { msBeforeNext }: RateLimiterRes): DomainError {
  const retryAfter = Math.ceil(msBeforeNext / 1000);
  const message = `Too many ${things}. Try again in ${retryAfter} seconds.`;
  return new DomainError('RATE_LIMITED', message, { retryAfter });
}
