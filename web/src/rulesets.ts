import { halfmove } from './session.js';

/** The rule sets of this server. */
export const readRulesets = () => halfmove.rest.GET('/v1/rulesets').then(({ data }) => data.items);
