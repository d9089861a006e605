import { badInput, type DomainError } from '../../platform/errors.js';

/** Whose challenges a user takes. */

export const CHALLENGES_FROM = ['everybody', 'rated', 'nobody'] as const;
export type ChallengesFrom = (typeof CHALLENGES_FROM)[number];

const MOST_WITHIN = 4000;

export interface Welcome {
  readonly challengesFrom: ChallengesFrom;
  /** `rated`: by how much the ratings of the two may differ; null else. */
  readonly challengesWithin: number | null;
}

export interface GivenWelcome {
  readonly challengesFrom?: ChallengesFrom | null | undefined;
  readonly challengesWithin?: number | null | undefined;
}

/** The setting that is asked for, or null where nothing is said of it. Throws BAD_INPUT. */
export function welcomeOf({ challengesFrom: from, challengesWithin: within }: GivenWelcome): Welcome | null {
  if (from == null && within == null) return null;
  if (from !== 'rated') {
    if (from == null || within != null)
      throw refusal('goes with challengesFrom: rated, and with nothing else');
    return { challengesFrom: from, challengesWithin: null };
  }
  const isOne = Number.isInteger(within) && within! >= 1 && within! <= MOST_WITHIN;
  if (!isOne) throw refusal(`is a whole number from 1 to ${MOST_WITHIN} where challengesFrom is rated`);
  return { challengesFrom: from, challengesWithin: within! };
}

const refusal = (rule: string): DomainError => badInput('challengesWithin', `challengesWithin ${rule}.`);
