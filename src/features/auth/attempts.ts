import { Inject, Injectable } from '@nestjs/common';
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../../config.js';
import { addressKey } from '../../platform/http/addresses.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { Time } from '../../platform/process/time.js';
import { consume, Counts, counting, HOUR_SECONDS, tooMany } from '../../platform/limits/counts.js';
import type { Counted, Quotas } from '../../platform/limits/quotas.js';
import { KnownAddresses } from './known-addresses.js';
import { AttemptSlots } from './attempt-slots.js';

type Limits = Pick<
  Config,
  | 'maxWrongPasswords'
  | 'maxWrongPasswordsPerAddress'
  | 'maxWrongPasswordsPerName'
  | 'wrongPasswordSeconds'
  | 'registrationsPerHour'
>;

const GUESSES = 'wrong passwords';

/** The wrong passwords allowed to an unknown address for a name under attack. */
const OF_A_NAME_UNDER_ATTACK = 2;

/**
 * Slows down password guessing. Wrong passwords count for an address, for a name from that address, and for a name from
 * anywhere. If the last are too many, unknown addresses get fewer attempts and take turns; addresses from which the
 * user has logged in do not, so that users cannot lock each other out. All processes count together; slots and known
 * addresses are of this one.
 */
@Injectable()
export class Attempts {
  private readonly byNameAndAddress: RateLimiterAbstract;
  private readonly byAddress: RateLimiterAbstract;
  private readonly byName: RateLimiterAbstract;
  private readonly registrations: RateLimiterAbstract;
  private readonly known = new KnownAddresses();
  private readonly slots = new AttemptSlots();

  constructor(
    @Inject(CONFIG) config: Limits,
    private readonly time: Time,
    @Inject(Counts) counts: Pick<Counts, 'limiter'>,
  ) {
    const seconds = config.wrongPasswordSeconds;
    this.byNameAndAddress = counts.limiter('passwords-of-name', config.maxWrongPasswords, seconds);
    this.byAddress = counts.limiter('passwords', config.maxWrongPasswordsPerAddress, seconds);
    this.byName = counts.limiter('passwords-of-name-anywhere', config.maxWrongPasswordsPerName, seconds);
    this.registrations = counts.limiter('registrations', config.registrationsPerHour, HOUR_SECONDS);
  }

  /**
   * Counts an attempt before it is made, so that simultaneous ones count as well. `username` is null if no user can
   * have the name. Whoever has a session waits for nobody. Throws RATE_LIMITED.
   */
  async begin({ address, quotas }: Counted, username: string | null, hasSession = false): Promise<void> {
    await consume(GUESSES, this.byAddress, addressKey(address), quotas);
    if (username === null) return;
    const own = await counting(this.byNameAndAddress, keyOf(address, username));
    this.demand(own, this.byNameAndAddress.points, quotas);
    const all = await this.byName.penalty(username);
    const isUnderAttack = all.consumedPoints > this.byName.points;
    if (!isUnderAttack || hasSession || this.known.has(username, addressKey(address))) return;
    this.demand(own, OF_A_NAME_UNDER_ATTACK, quotas);
    const wait = this.slots.take(username, address, this.time.now().getTime());
    if (wait === 0) return;
    // A request that came too early does not count as a guess.
    await this.giveBack({ address, quotas }, username);
    throw tooMany(GUESSES, 1, wait);
  }

  /**
   * Throws RATE_LIMITED if there are more of a name than `points`. The answer tells of them only then: the right password
   * begins the count anew, and may be that of somebody else at this address.
   */
  private demand(own: RateLimiterRes, points: number, quotas: Quotas): void {
    if (own.consumedPoints <= points) return;
    const { keyPrefix, duration } = this.byNameAndAddress;
    quotas.note({ keyPrefix, points, duration }, own);
    throw tooMany(GUESSES, points, own.msBeforeNext);
  }

  /** Uncounts an attempt with the right password. */
  async succeeded({ address, quotas }: Counted, username: string): Promise<void> {
    quotas.note(this.byAddress, await this.byAddress.reward(addressKey(address)));
    await this.byName.reward(username);
    await this.byNameAndAddress.delete(keyOf(address, username));
  }

  /** Uncounts an attempt whose password was not checked because too many were waiting. */
  async unlooked(client: Counted, username: string | null): Promise<void> {
    await this.giveBack(client, username);
    if (username !== null) this.slots.giveBack(username, client.address, this.time.now().getTime());
  }

  private async giveBack({ address, quotas }: Counted, username: string | null): Promise<void> {
    quotas.note(this.byAddress, await this.byAddress.reward(addressKey(address)));
    if (username === null) return;
    await this.byName.reward(username);
    await this.byNameAndAddress.reward(keyOf(address, username));
  }

  /** Records an address from which the user has proved their identity. */
  proved(address: string, username: string): void {
    this.known.add(username, addressKey(address));
  }

  /** Counts a registration. Throws RATE_LIMITED. */
  async register({ address, quotas }: Counted): Promise<void> {
    await consume('registrations from your address', this.registrations, addressKey(address), quotas);
  }

  /** Uncounts a registration that failed. */
  async unregister({ address, quotas }: Counted): Promise<void> {
    quotas.note(this.registrations, await this.registrations.reward(addressKey(address)));
  }
}

const keyOf = (address: string, username: string) => `${addressKey(address)} ${username}`;
