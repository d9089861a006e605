import { makeTimeControl, type GivenTimeControl, type TimeControl } from '../../arbiter/time-control.js';
import { unwrap } from '../../engine/refusals.js';
import { canonicalJson } from '../../fairness/json.js';
import { badInput, DomainError } from '../../platform/errors.js';
import type { ChallengeRow, ChallengeTerms, SideWish } from './challenge.row.js';

/** What comes in about the terms of a challenge, read and checked. */

const SHORTEST_SECONDS = 3600;
const LONGEST_SECONDS = 14 * 86_400;
const HIGHEST_RATING = 4000;

type Parts = Omit<GivenTimeControl, 'type'>;

/** A time control under the name of its type: one of them. */
export type ChosenTimeControl = Readonly<Partial<Record<TimeControl['type'], Parts | null>>>;

/** Throws INVALID_TIME_CONTROL. */
export function timeControlIn(chosen: ChosenTimeControl): TimeControl {
  const [type, parts] = Object.entries(chosen).find(([, given]) => given != null)!;
  return unwrap(makeTimeControl({ ...parts, type }));
}

/** What two people are to agree on, as it comes in. */
export interface GivenTerms extends GivenHash, GivenRange {
  readonly ruleset: string;
  readonly options?: unknown;
  readonly timeControl: ChosenTimeControl;
  readonly rated?: boolean | null | undefined;
  readonly side?: SideWish | null | undefined;
  /** Seconds. */
  readonly expiresIn?: number | null | undefined;
}

type Span = Pick<ChallengeRow, 'createdAt' | 'expiresAt'>;

/** How long a challenge that is made now stays open; 14 days where nothing is said. Throws BAD_INPUT. */
export function openFrom(createdAt: Date, seconds?: number | null): Span {
  const asked = seconds ?? LONGEST_SECONDS;
  if (Number.isInteger(asked) && asked >= SHORTEST_SECONDS && asked <= LONGEST_SECONDS) {
    return { createdAt, expiresAt: new Date(createdAt.getTime() + asked * 1000) };
  }
  throw badInput(
    'expiresIn',
    `expiresIn is a number of seconds from ${SHORTEST_SECONDS} (an hour) to ${LONGEST_SECONDS} (14 days).`,
  );
}

/** The ratings that an opponent may have, as they come in. */
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
    if (!isOne) throw badInput(field, `${field} is a whole number from 0 to ${HIGHEST_RATING}.`);
  }
  if (minRating === null || maxRating === null || minRating <= maxRating) return { minRating, maxRating };
  throw badInput(
    'maxRating',
    `maxRating (${maxRating}) is below minRating (${minRating}). Give one that is not, or leave it out.`,
  );
}

/** What two seeks must have in common, as one text. */
export const termsKeyOf = ({
  ruleset,
  options,
  timeControl,
  rated,
}: Pick<ChallengeTerms, 'ruleset' | 'options' | 'timeControl' | 'rated'>): string =>
  canonicalJson([ruleset, options, timeControl, rated]);

/** The creator's part in the shuffle, as it comes in: the hash of his seed, if anything. */
export interface GivenHash {
  readonly clientSeedHash?: string | null | undefined;
}

export type CreatorSeed = Pick<
  ChallengeRow,
  'format' | 'creatorClientSeed' | 'creatorClientSeedHash' | 'creatorSeedAt'
>;

/** Throws INVALID_SEED. */
export function announced({ clientSeedHash: hash }: GivenHash): CreatorSeed {
  if (hash != null && !/^[0-9a-f]{64}$/.test(hash)) {
    throw new DomainError(
      'INVALID_SEED',
      'The hash of a client seed is the SHA-256 of its 32 characters, in 64 lower-case hex digits.',
      { field: 'clientSeedHash' },
    );
  }
  return {
    format: 2,
    creatorClientSeed: null,
    creatorClientSeedHash: hash ?? null,
    creatorSeedAt: null,
  };
}
