import { createHmac, hkdfSync } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../../config.js';
import { DomainError } from '../errors/errors.js';
import { Background } from '../process/background.js';
import { CONFIG } from '../process/config.module.js';
import { CountsStore } from './counts.store.js';
import type { Quotas } from './quotas.js';

export const HOUR_SECONDS = 3600;
export const DAY_SECONDS = 86_400;

const KEY_BYTES = 32;

/**
 * Counts that all processes share, in the database, for what is rare and worth guarding: passwords, registrations, mails.
 * Addresses and names are counted under keyed hashes, so that nobody finds them in the table.
 */
@Injectable()
export class Counts {
  private readonly key: Buffer;

  constructor(
    private readonly store: CountsStore,
    @Inject(CONFIG) config: Pick<Config, 'tokenSecret' | 'housekeepingSeconds'>,
    background: Background,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', config.tokenSecret, '', 'halfmove counts', KEY_BYTES));
    background.every('CountsSweep', config.housekeepingSeconds * 1000, () =>
      this.store.deleteExpired(new Date()),
    );
  }

  /** Counts up to `points` of something in so many seconds, for each key. The answers tell of it by its name. */
  limiter(name: string, points: number, duration: number): RateLimiterAbstract {
    return new HashedKeys(
      { storeClient: this.store, storeType: 'client', tableName: 'rate_counts', tableCreated: true, clearExpiredByTimeout: false, keyPrefix: name, points, duration }, // prettier-ignore
      (key) => createHmac('sha256', this.key).update(key).digest('base64url'),
      this.store,
    );
  }
}

class HashedKeys extends RateLimiterPostgres {
  constructor(
    options: ConstructorParameters<typeof RateLimiterPostgres>[0],
    private readonly hashed: (key: string) => string,
    private readonly counts: CountsStore,
  ) {
    super(options);
  }

  override getKey(key: string | number): string {
    return super.getKey(this.hashed(String(key)));
  }

  /** The library would count what has expired meanwhile below nothing. */
  override async reward(key: string | number): Promise<RateLimiterRes> {
    const now = Date.now();
    const { points, expire } = await this.counts.giveBack(this.getKey(key), now);
    return new RateLimiterRes(Math.max(0, this.points - points), expire - now, points, false);
  }
}

/** Counts one more for a key, as the answer tells. Throws RATE_LIMITED, which names what there are too many of. */
export async function consume(
  things: string,
  limiter: RateLimiterAbstract,
  key: string,
  quotas: Quotas,
): Promise<RateLimiterRes> {
  const counted = await counting(limiter, key);
  quotas.note(limiter, counted);
  if (counted.consumedPoints > limiter.points) throw tooMany(things, limiter.points, counted.msBeforeNext);
  return counted;
}

/** Counts one more for a key, whether or not there are too many. */
export async function counting(limiter: RateLimiterAbstract, key: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key);
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  }
}

export function tooMany(things: string, limit: number, wait: number): DomainError {
  const retryAfter = Math.ceil(wait / 1000);
  const message = `Too many ${things}. Try again in ${retryAfter} seconds.`;
  return new DomainError('RATE_LIMITED', message, { limit, retryAfter });
}
