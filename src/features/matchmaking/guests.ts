import { DomainError } from '../../platform/errors/errors.js';
import type { Principal } from '../auth/principal.js';
import type { ChallengeRow } from './challenge.row.js';

/** What guests may not: they play casual games, by links and seeks that let them in. */

/** Throws CLAIM_REQUIRED for a guest. */
export function assertPerson({ kind }: Pick<Principal, 'kind'>, what: string): void {
  if (kind !== 'guest') return;
  throw new DomainError(
    'CLAIM_REQUIRED',
    `A guest cannot ${what}. Claim the account with a username and a password, then send the request again.`,
  );
}

/** Throws CLAIM_REQUIRED for a guest who asks for a rated game. */
export function assertCasual(
  viewer: Principal,
  { rated }: { readonly rated?: boolean | null | undefined },
): void {
  if (rated === true) assertPerson(viewer, 'play rated games');
}

/** Throws CLAIM_REQUIRED for a guest who accepts what is not for guests. */
export function assertWelcome(viewer: Principal, row: Pick<ChallengeRow, 'rated' | 'personsOnly'>): void {
  assertCasual(viewer, row);
  if (row.personsOnly) assertPerson(viewer, 'accept this challenge, whose creator plays with persons only');
}
