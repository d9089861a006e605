import { DomainError } from '../../platform/errors/errors.js';
import type { Principal } from '../auth/principal.js';
import type { AnyPlayer } from '../users/users.model.js';
import type { ChallengeRow } from './challenge.row.js';

/**
 * What guests may not: they play casual games, by links and seeks that let them in. And what players of applications may
 * not: they play by links of their application's players.
 */

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

/** Throws CLAIM_REQUIRED for a guest, FORBIDDEN for a player of an application. */
export function assertMayName(viewer: Principal): void {
  assertPerson(viewer, 'challenge a user by name');
  assertUnmanaged(viewer, 'challenge a user by name');
}

/**
 * Throws CLAIM_REQUIRED for a guest, FORBIDDEN for a player of an application, who accepts what is not for them. Rematches
 * are.
 */
export async function assertWelcome(
  viewer: Principal,
  row: Pick<ChallengeRow, 'kind' | 'creatorId' | 'rated' | 'personsOnly'>,
  users: { one(id: string): Promise<AnyPlayer> },
): Promise<void> {
  assertCasual(viewer, row);
  if (row.personsOnly) assertPerson(viewer, 'accept this challenge, whose creator plays with persons only');
  if (row.kind === 'seek') assertUnmanaged(viewer, 'accept seeks of the lobby');
  if (row.kind !== 'link' || viewer.kind !== 'player') return;
  if (!('application' in (await users.one(row.creatorId)))) assertUnmanaged(viewer, 'accept the link of a person'); // prettier-ignore
}

/** Throws FORBIDDEN for a player of an application. */
export function assertUnmanaged({ kind }: Pick<Principal, 'kind'>, what: string): void {
  if (kind !== 'player') return;
  throw new DomainError(
    'FORBIDDEN',
    `A player of an application cannot ${what}. Create a link, and send it to the opponent.`,
  );
}
