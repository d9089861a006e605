import { makeTimeControl, type GivenTimeControl, type TimeControl } from '../arbiter/time-control.js';
import { unwrap } from '../engine/refusals.js';
import { parseClientSeed } from '../fairness/commitment.js';
import { DomainError } from '../platform/errors.js';
import type { ChallengeRow } from './challenge.row.js';

/** What comes in about the terms of a challenge, read and checked. */

const VALID_MS = 14 * 86_400_000;

type Span = Pick<ChallengeRow, 'createdAt' | 'expiresAt'>;

/** How long a challenge that is made now stays open. */
export const openFrom = (createdAt: Date): Span => ({
  createdAt,
  expiresAt: new Date(createdAt.getTime() + VALID_MS),
});

/** Throws INVALID_TIME_CONTROL. */
export function timeControlOf(given: GivenTimeControl): TimeControl {
  const made = makeTimeControl(given);
  if (typeof made === 'string') throw new DomainError('INVALID_TIME_CONTROL', made, { field: 'timeControl' });
  return made;
}

/** The creator's part in the shuffle, as it comes in: the seed, or its hash in advance. */
export interface GivenSeed {
  readonly clientSeed?: string | null | undefined;
  readonly clientSeedHash?: string | null | undefined;
}

export type CreatorSeed = Pick<ChallengeRow, 'creatorClientSeed' | 'creatorClientSeedHash'>;

/** Throws INVALID_SEED. */
export function seedOf({ clientSeed, clientSeedHash: hash }: GivenSeed): CreatorSeed {
  if (hash == null) {
    return { creatorClientSeed: unwrap(parseClientSeed(clientSeed ?? '')), creatorClientSeedHash: null };
  }
  const both = clientSeed != null;
  if (!both && /^[0-9a-f]{64}$/.test(hash)) return { creatorClientSeed: null, creatorClientSeedHash: hash };
  const message = both
    ? 'Give the client seed or its hash in advance, not both.'
    : 'The hash of a client seed is its SHA-256 in 64 lower-case hex digits.';
  throw new DomainError('INVALID_SEED', message, { field: 'clientSeedHash' });
}
