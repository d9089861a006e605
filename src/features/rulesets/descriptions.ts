/** Descriptions of fields that several models share. */

export const RULESET_ID = 'The id of the rule set.';
export const RULES_VERSION =
  'The version of the rules, one higher after each change by which a game would be judged differently.';
