import { rulesets } from '../../rules/registry.js';
import { named } from '../rulesets/named.js';
import type { RatingPool } from './ratings.model.js';

/** The pools of ratings: one for each rule set, whose id is that of the rule set as long as there is no second one. */
export const POOLS: readonly RatingPool[] = rulesets().map(({ id }) => ({ id, ruleset: named(id) }));

/** The pool with this id, if there is one. */
export const poolById = (id: string): RatingPool | undefined => POOLS.find((pool) => pool.id === id);
