import { badInput, DomainError } from '../../platform/errors/errors.js';

/** The challenges that a user accepts. */

export const CHALLENGES_FROM = ['everybody', 'rated', 'nobody'] as const;
export type ChallengesFrom = (typeof CHALLENGES_FROM)[number];

const MOST_WITHIN = 4000;

export interface ChallengePolicy {
  readonly challengesFrom: ChallengesFrom;
  /** With `rated`: the largest difference of the two ratings; otherwise null. */
  readonly challengesWithin: number | null;
}

export interface ChallengePolicyInput {
  readonly challengesFrom?: ChallengesFrom | null | undefined;
  readonly challengesWithin?: number | null | undefined;
}

/** The setting to store, or null if the request does not change it. Throws BAD_INPUT. */
export function challengePolicyOf({
  challengesFrom: from,
  challengesWithin: within,
}: ChallengePolicyInput): ChallengePolicy | null {
  if (from == null && within == null) return null;
  if (from !== 'rated') {
    if (from == null || within != null) {
      throw badInput(
        'challengesWithin',
        'challengesWithin requires challengesFrom: rated. Change or remove one of them.',
      );
    }
    return { challengesFrom: from, challengesWithin: null };
  }
  const isOne = Number.isInteger(within) && within! >= 1 && within! <= MOST_WITHIN;
  if (!isOne) throw badRange(within);
  return { challengesFrom: from, challengesWithin: within! };
}

function badRange(within: number | null | undefined): DomainError {
  const range = `challengesWithin must be an integer between 1 and ${MOST_WITHIN} if challengesFrom is rated`;
  const got = within == null ? '' : `; got ${within}`;
  return new DomainError('BAD_INPUT', `${range}${got}.`, {
    field: 'challengesWithin',
    min: 1,
    max: MOST_WITHIN,
  });
}
