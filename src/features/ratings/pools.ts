import { rulesets } from '../../rules/registry.js';
import { named } from '../rulesets/named.js';
import type { RatingPool } from './ratings.model.js';

/** The rating pools: at present one for each rule set, with the same id. */
export const POOLS: readonly RatingPool[] = rulesets().map(({ id }) => ({ id, ruleset: named(id) }));

export const poolById = (id: string): RatingPool | undefined => POOLS.find((pool) => pool.id === id);
