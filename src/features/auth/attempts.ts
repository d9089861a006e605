import { createParamDecorator, Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../../config.js';
import { addressKey } from '../../platform/addresses.js';
import { CONFIG } from '../../platform/config.module.js';
import { DomainError } from '../../platform/errors.js';
import { Time } from '../../platform/time.js';
import { KnownAddresses } from './known-addresses.js';
import { Turns } from './turns.js';
import { requestOf } from './principal.js';

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

/** So many wrong passwords a stranger has of a name that many try to guess. */
const OF_A_NAME_UNDER_ATTACK = 2;

/**
 * Slows the guessing of passwords: wrong ones count against an address, against a name from that address, and against a
 * name from anywhere. When the last are too many, strangers have fewer and wait for their turn at the name; addresses
 * from which its owner has come do not, so that nobody can lock out somebody else. Counted in this process alone.
 */
@Injectable()
export class Attempts {
  private readonly byNameAndAddress: RateLimiterMemory;
  private readonly byAddress: RateLimiterMemory;
  private readonly byName: RateLimiterMemory;
  private readonly registrations: RateLimiterMemory;
  private readonly known = new KnownAddresses();
  private readonly turns = new Turns();

  constructor(
    @Inject(CONFIG) config: Limits,
    private readonly time: Time,
  ) {
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
      if (!isUnderAttack || this.known.has(username, addressKey(address))) return;
      if (own.consumedPoints > OF_A_NAME_UNDER_ATTACK) throw tooMany('wrong passwords', own.msBeforeNext);
      const wait = this.turns.take(username, address, this.time.now().getTime());
      if (wait === 0) return;
      // To ask too early is no guess.
      await this.byNameAndAddress.reward(keyOf(address, username));
      throw tooMany('wrong passwords', wait);
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
    this.turns.giveBack(username, address, this.time.now().getTime());
  }

  /** Who comes from there is the user, as a password or a session says. */
  proved(address: string, username: string): void {
    this.known.add(username, addressKey(address));
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
    throw limit instanceof RateLimiterRes ? tooMany(things, limit.msBeforeNext) : limit;
  }
}

function tooMany(things: string, wait: number): DomainError {
  const retryAfter = Math.ceil(wait / 1000);
  return new DomainError('RATE_LIMITED', `Too many ${things}. Try again in ${retryAfter} seconds.`, {
    retryAfter,
  });
}
