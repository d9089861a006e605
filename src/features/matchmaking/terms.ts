import { shown } from '../../rules/shown.js';
import { makeTimeControl, type GivenTimeControl, type TimeControl } from '../../arbiter/time-control.js';
import { unwrap } from '../../engine/refusals.js';
import { canonicalJson } from '../../fairness/json.js';
import { DomainError } from '../../platform/errors/errors.js';
import type { GivenSeat } from '../games/given-seat.js';
import type { ChallengeRow, ChallengeTerms } from './challenge.row.js';

/** Reads and checks the terms of a challenge in a request. */

const SHORTEST_SECONDS = 3600;
const LONGEST_SECONDS = 14 * 86_400;
const HIGHEST_RATING = 4000;

type Parts = Omit<GivenTimeControl, 'type'>;

/** A time control under the name of its type, exactly one. */
export type ChosenTimeControl = Readonly<Partial<Record<TimeControl['type'], Parts | null>>>;

/** Throws INVALID_TIME_CONTROL. */
export function timeControlIn(chosen: ChosenTimeControl): TimeControl {
  const [type, parts] = Object.entries(chosen).find(([, given]) => given != null)!;
  return unwrap(makeTimeControl({ ...parts, type }));
}

/** The terms of a challenge in a request. */
export interface GivenTerms extends GivenHash, GivenRange, GivenSeat {
  readonly ruleset: string;
  readonly options?: unknown;
  readonly timeControl: ChosenTimeControl;
  readonly rated?: boolean | null | undefined;
  /** Of a link or a seek. */
  readonly personsOnly?: boolean | null | undefined;
  /** Seconds. */
  readonly expiresIn?: number | null | undefined;
}

type Span = Pick<ChallengeRow, 'createdAt' | 'expiresAt'>;

/** The time span of a new challenge; 14 days by default. Throws BAD_INPUT. */
export function openFrom(createdAt: Date, seconds?: number | null): Span {
  const asked = seconds ?? LONGEST_SECONDS;
  if (Number.isInteger(asked) && asked >= SHORTEST_SECONDS && asked <= LONGEST_SECONDS) {
    return { createdAt, expiresAt: new Date(createdAt.getTime() + asked * 1000) };
  }
  const [min, max] = [SHORTEST_SECONDS, LONGEST_SECONDS];
  const message = `expiresIn must be between ${min} (1 hour) and ${max} (14 days) seconds; got ${asked}.`;
  throw new DomainError('BAD_INPUT', message, { field: 'expiresIn', min, max });
}

/** The range of ratings in a request. */
export interface GivenRange {
  readonly minRating?: number | null | undefined;
  readonly maxRating?: number | null | undefined;
}

/** Throws BAD_INPUT. */
export function rangeOf(given: GivenRange): Pick<ChallengeRow, 'minRating' | 'maxRating'> {
  const { minRating = null, maxRating = null } = given;
  for (const field of ['minRating', 'maxRating'] as const) {
    const rating = given[field] ?? 0;
    const isOne = Number.isInteger(rating) && rating >= 0 && rating <= HIGHEST_RATING;
    if (isOne) continue;
    const message = `${field} must be a whole number between 0 and ${HIGHEST_RATING}; got ${rating}.`;
    throw new DomainError('BAD_INPUT', message, { field, min: 0, max: HIGHEST_RATING });
  }
  if (minRating === null || maxRating === null || minRating <= maxRating) return { minRating, maxRating };
  const message = `maxRating (${maxRating}) must not be lower than minRating (${minRating}).`;
  throw new DomainError('BAD_INPUT', message, { field: 'maxRating', min: minRating });
}

/** The terms that two seeks must share to be paired, as one text. */
export const termsKeyOf = ({
  ruleset,
  options,
  timeControl,
  rated,
}: Pick<ChallengeTerms, 'ruleset' | 'options' | 'timeControl' | 'rated'>): string =>
  canonicalJson([ruleset, options, timeControl, rated]);

/** The hash of the creator's client seed in a request. */
export interface GivenHash {
  readonly clientSeedHash?: string | null | undefined;
}

export type CreatorSeed = Pick<ChallengeRow, 'creatorClientSeed' | 'creatorClientSeedHash' | 'creatorSeedAt'>;

/** Throws INVALID_SEED. */
export function announced({ clientSeedHash: hash }: GivenHash): CreatorSeed {
  if (hash != null && !/^[0-9a-f]{64}$/.test(hash)) {
    throw new DomainError(
      'INVALID_SEED',
      `clientSeedHash must be the SHA-256 of your client seed, as 64 lower-case hex digits; got ${shown(hash)}.`,
      { field: 'clientSeedHash' },
    );
  }
  return {
    creatorClientSeed: null,
    creatorClientSeedHash: hash ?? null,
    creatorSeedAt: null,
  };
}
