import { rulesets } from '../../rules/registry.js';
import { named } from '../rulesets/named.js';
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

/** A pool by its key, public or of an application. */
export const poolOf = (key: string): RatingPool =>
  poolById(key) ?? { id: key, ruleset: named(key.slice(key.lastIndexOf(':') + 1)) };

export const poolById = (id: string): RatingPool | undefined => POOLS.find((pool) => pool.id === id);
