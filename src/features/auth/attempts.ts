import { createParamDecorator, Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../../config.js';
import { addressKey } from '../../platform/http/addresses.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { DomainError } from '../../platform/errors/errors.js';
import { Time } from '../../platform/process/time.js';
import { KnownAddresses } from './known-addresses.js';
import { AttemptSlots } from './attempt-slots.js';
import { requestOf } from './principal.js';

type Limits = Pick<
  Config,
  | 'maxWrongPasswords'
  | 'maxWrongPasswordsPerAddress'
  | 'maxWrongPasswordsPerName'
  | 'wrongPasswordSeconds'
  | 'registrationsPerHour'
>;

/** The client address of a request; behind a proxy only with TRUST_PROXY. */
export const Address = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context)?.ip ?? '',
);

const GUESSES = 'wrong passwords';

/** The wrong passwords allowed to an unknown address for a name under attack. */
const OF_A_NAME_UNDER_ATTACK = 2;

/**
 * Slows down password guessing. Wrong passwords count for an address, for a name from that address, and for a name from
 * anywhere. If the last are too many, unknown addresses get fewer attempts and take turns; addresses from which the
 * user has logged in do not, so that users cannot lock each other out. Counted in this process only.
 */
@Injectable()
export class Attempts {
  private readonly byNameAndAddress: RateLimiterMemory;
  private readonly byAddress: RateLimiterMemory;
  private readonly byName: RateLimiterMemory;
  private readonly registrations: RateLimiterMemory;
  private readonly known = new KnownAddresses();
  private readonly slots = new AttemptSlots();

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
   * Counts an attempt before it is made, so that simultaneous ones count as well. `username` is null if no user can
   * have the name. Throws RATE_LIMITED.
   */
  async begin(address: string, username: string | null): Promise<void> {
    await consume(GUESSES, this.byAddress, addressKey(address));
    if (username === null) return;
    const own = await consume(GUESSES, this.byNameAndAddress, keyOf(address, username));
    const all = await this.byName.penalty(username);
    const isUnderAttack = all.consumedPoints > this.byName.points;
    if (!isUnderAttack || this.known.has(username, addressKey(address))) return;
    if (own.consumedPoints > OF_A_NAME_UNDER_ATTACK)
      throw tooMany(GUESSES, OF_A_NAME_UNDER_ATTACK, own.msBeforeNext);
    const wait = this.slots.take(username, address, this.time.now().getTime());
    if (wait === 0) return;
    // A request that came too early does not count as a guess.
    await this.byNameAndAddress.reward(keyOf(address, username));
    throw tooMany(GUESSES, 1, wait);
  }

  /** Uncounts an attempt with the right password. */
  async succeeded(address: string, username: string): Promise<void> {
    await this.byAddress.reward(addressKey(address));
    await this.byName.reward(username);
    await this.byNameAndAddress.delete(keyOf(address, username));
  }

  /** Uncounts an attempt whose password was not checked because too many were waiting. */
  async unlooked(address: string, username: string | null): Promise<void> {
    await this.byAddress.reward(addressKey(address));
    if (username === null) return;
    await this.byName.reward(username);
    await this.byNameAndAddress.reward(keyOf(address, username));
    this.slots.giveBack(username, address, this.time.now().getTime());
  }

  /** Records an address from which the user has proved their identity. */
  proved(address: string, username: string): void {
    this.known.add(username, addressKey(address));
  }

  /** Counts a registration. Throws RATE_LIMITED. */
  async register(address: string): Promise<void> {
    await consume('registrations from your address', this.registrations, addressKey(address));
  }

  /** Uncounts a registration that failed. */
  async unregister(address: string): Promise<void> {
    await this.registrations.reward(addressKey(address));
  }
}

const keyOf = (address: string, username: string) => `${addressKey(address)} ${username}`;

async function consume(things: string, limiter: RateLimiterMemory, key: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key);
  } catch (refused) {
    throw refused instanceof RateLimiterRes ? tooMany(things, limiter.points, refused.msBeforeNext) : refused;
  }
}

function tooMany(things: string, limit: number, wait: number): DomainError {
  const retryAfter = Math.ceil(wait / 1000);
  const message = `Too many ${things}. Try again in ${retryAfter} seconds.`;
  return new DomainError('RATE_LIMITED', message, { limit, retryAfter });
}
