import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import commonJs from 'canonicalize';
import type { Config } from '../config.js';
import { Background } from './background.js';
import { CONFIG } from './config.module.js';
import type { Transaction } from './database/prisma.service.js';
import { badInput, DomainError } from './errors.js';
import { IdempotencyStore } from './idempotency.store.js';
import { DAY_MS, Time } from './time.js';

/** Exactly once: an act with a key that its client chose has its effect one time, however often it is sent. */

const KEY = /^[!-~]{1,64}$/;

export interface KeyedAct {
  /** A user id, or `username:` and the name that is registered. */
  readonly actor: string;
  readonly key: string;
  readonly operation: string;
  /** Of the request, so that a key is not used for two different ones. */
  readonly fingerprint: string;
}

/**
 * Names an act by its key, or null when it came without one.
 * The request is what the effect depends on, as plain JSON; never a secret, for its hash is stored.
 */
export function keyedAct(
  actor: string,
  key: string | null | undefined,
  operation: string,
  request: unknown,
): KeyedAct | null {
  if (key === null || key === undefined) return null;
  if (!KEY.test(key)) {
    throw badInput(
      'idempotencyKey',
      'idempotencyKey: a key has 1 to 64 printable ASCII characters and no spaces.',
    );
  }
  return { actor, key, operation, fingerprint: fingerprint(operation, request) };
}

/** The refusal of a key that stands for something else already. */
export function keyReused(): DomainError {
  const message = 'This idempotency key was used for another request: choose a new one.';
  return new DomainError('IDEMPOTENCY_KEY_REUSED', message, { field: 'idempotencyKey' });
}

// The package is CommonJS; its types say `export default`.
const canonicalize = commonJs as unknown as typeof commonJs.default;

/** Numbers such as 1e999 have no canonical form. */
function canonicalText(value: unknown): string {
  try {
    return canonicalize(value) ?? '';
  } catch {
    throw new DomainError('BAD_INPUT', 'The request holds a number that JSON cannot carry.');
  }
}

function fingerprint(operation: string, request: unknown): string {
  return createHash('sha256')
    .update(canonicalText([operation, request]))
    .digest('hex');
}

/** Which acts have had their effect; kept for IDEMPOTENCY_KEY_DAYS. */
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
   * What an act makes, or has made already, as `find` knows it; that is null where it is gone with its account. `make`
   * answers null where its claim came second.
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

  /** What the act made when it was first sent, or null; refuses a key that was used for another request. */
  async made(act: KeyedAct): Promise<string | null> {
    const stored = await this.store.find(act.actor, act.key);
    if (stored !== null && stored.fingerprint !== act.fingerprint) throw keyReused();
    return stored?.resourceId ?? null;
  }

  /**
   * Stores the act, if it has a key, in the transaction of its effect. False when another request with the same key was
   * first: it waits for that one to commit, so ask here before the effect and then answer what `made` says.
   */
  async claim(tx: Transaction, act: KeyedAct | null, resourceId: string, at: Date): Promise<boolean> {
    return act === null || this.store.insert(tx, act, resourceId, at);
  }

  private forgetOld(): Promise<void> {
    const before = this.time.now().getTime() - this.config.idempotencyKeyDays * DAY_MS;
    return this.store.deleteBefore(new Date(before));
  }
}
