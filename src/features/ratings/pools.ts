import { rulesets } from '../../rules/registry.js';
import { named } from '../rulesets/named.js';
import type { AnyPlayer } from '../users/users.model.js';
import type { RatingPool } from './ratings.model.js';

/** The rating pools: at present one for each rule set, with the same id. */
export const POOLS: readonly RatingPool[] = rulesets().map(({ id }) => ({ id, ruleset: named(id) }));

/** The pool of a game: players of an application are rated among themselves. */
export const poolKey = ({
  ruleset,
  applicationId,
}: {
  readonly ruleset: string;
  readonly applicationId: string | null;
}): string => (applicationId === null ? ruleset : `application:${applicationId}:${ruleset}`);

/** The pool in which a user, or a player of an application, is rated. */
export const poolOfPlayer = (ruleset: string, player: AnyPlayer): string =>
  poolKey({ ruleset, applicationId: 'application' in player ? player.application.id : null });

/** A pool by its key, public or of an application. */
export const poolOf = (key: string): RatingPool =>
  poolById(key) ?? { id: key, ruleset: named(key.slice(key.lastIndexOf(':') + 1)) };

/** A pool that a player may have been rated in; undefined for what is none. */
export function anyPoolById(id: string): RatingPool | undefined {
  const ruleset = /^application:[0-9a-f-]{36}:([a-z-]+)$/.exec(id)?.[1];
  return ruleset === undefined || poolById(ruleset) === undefined ? poolById(id) : poolOf(id);
}

export const poolById = (id: string): RatingPool | undefined => POOLS.find((pool) => pool.id === id);
