import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { canonicalJson } from '../../fairness/json.js';
import { Background } from '../process/background.js';
import { CONFIG } from '../process/config.module.js';
import type { Transaction } from '../database/prisma.service.js';
import { DomainError } from '../errors/errors.js';
import { shown } from '../../rules/shown.js';
import { IdempotencyStore } from './idempotency.store.js';
import { DAY_MS, Time } from '../process/time.js';

/** Idempotency: a request with a key chosen by its client takes effect once, however often it is sent. */

const KEY = /^[!-~]{1,64}$/;

export interface KeyedAct {
  /** A user id, or for registration `username:` and the name. */
  readonly actor: string;
  readonly key: string;
  readonly operation: string;
  /** A hash of the request, to detect a key that is used for a different one. */
  readonly fingerprint: string;
}

/**
 * Describes a request by its key, or null if it has none. `request` must hold everything that its effect depends on, as
 * plain JSON, but no secret, because its hash is stored.
 */
export function keyedAct(
  actor: string,
  key: string | null | undefined,
  operation: string,
  request: unknown,
): KeyedAct | null {
  if (key === null || key === undefined) return null;
  if (!KEY.test(key)) {
    const message = `The idempotency key must have 1 to 64 printable ASCII characters and no spaces; got ${shown(key)}.`;
    throw new DomainError('BAD_INPUT', message, { field: 'idempotencyKey', min: 1, max: 64 });
  }
  return { actor, key, operation, fingerprint: fingerprint(operation, request) };
}

/** The refusal of a key that was used for a different request. */
export function keyReused(): DomainError {
  const message = 'This idempotency key was used for a different request. Send this request with a new key.';
  return new DomainError('IDEMPOTENCY_KEY_REUSED', message, { field: 'idempotencyKey' });
}

/** Throws for numbers such as 1e999, which have no canonical form. */
function canonicalText(value: unknown): string {
  try {
    return canonicalJson(value);
  } catch {
    throw new DomainError('BAD_INPUT', 'Numbers must be finite and within ±(2^53 − 1).');
  }
}

function fingerprint(operation: string, request: unknown): string {
  return createHash('sha256')
    .update(canonicalText([operation, request]))
    .digest('hex');
}

/** The stored keys, kept for IDEMPOTENCY_KEY_DAYS. */
@Injectable()
export class Idempotency {
  constructor(
    private readonly store: IdempotencyStore,
    private readonly time: Time,
    background: Background,
    @Inject(CONFIG) private readonly config: Pick<Config, 'idempotencyKeyDays' | 'housekeepingSeconds'>,
  ) {
    background.every('IdempotencySweep', config.housekeepingSeconds * 1000, () => this.forgetOld());
  }

  /**
   * The result of `make`, or the earlier result of the same key from `find`, which is null if it was deleted with its
   * account. `make` returns null if its claim came second.
   */
  async once<T>(
    act: KeyedAct | null,
    make: () => Promise<T | null>,
    find: (id: string) => Promise<T | null>,
  ): Promise<T | null> {
    const before = act && (await this.made(act));
    const made = before === null ? await make() : null;
    if (made !== null) return made;
    const id = before ?? (act && (await this.made(act)));
    return id === null ? null : find(id);
  }

  /** The id of the earlier result, or null. Throws if the key was used for a different request. */
  async made(act: KeyedAct): Promise<string | null> {
    const stored = await this.store.find(act.actor, act.key);
    if (stored !== null && stored.fingerprint !== act.fingerprint) throw keyReused();
    return stored?.resourceId ?? null;
  }

  /**
   * Stores the key, if there is one, in the transaction of its effect. Waits for a concurrent request with the same key
   * and returns false if that one came first; so call it before the effect and then use `made`.
   */
  async claim(tx: Transaction, act: KeyedAct | null, resourceId: string, at: Date): Promise<boolean> {
    return act === null || this.store.insert(tx, act, resourceId, at);
  }

  private forgetOld(): Promise<void> {
    const before = this.time.now().getTime() - this.config.idempotencyKeyDays * DAY_MS;
    return this.store.deleteBefore(new Date(before));
  }
}
