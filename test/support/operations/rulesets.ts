import { get, getAll, part, post, query, verb } from '../verb.js';
import type { Body, Json } from '../transport.js';

/** The catalogue of rule sets, analysis without a game, and error codes. */

const RULESET = `{
  id name chineseName summary source sides pieces { letter name chinese moves } board { files ranks } boardUrl hidden chance
  setupCount start version
  options { name type meaning default min max values }
}`;
export const ANALYSIS = `{
  position turn check outcome { winner reason } claimable canWin { first second } mayTurnUp
  legalMoves { move san notations { name text } losing warning { winner reason } }
  plies { player move reveals captured san notations { name text } position }
}`;

/** The largest selection allowed for the longest line. */
export const LONG_ANALYSIS = ANALYSIS.replaceAll('notations { name text }', '');

export interface ExplainedCode {
  readonly code: string;
  readonly status: number;
  readonly description: string;
  readonly advice: string;
  readonly mutations: readonly string[];
}

export const RULESETS = {
  errorCodes: verb<[], readonly ExplainedCode[]>({
    rest: () => part('items', get('error-codes')),
    graphql: () => query('errorCodes', {}, '{ code status description advice mutations }'),
  }),
  rulesets: verb<[], Json>({
    rest: () => getAll('rulesets'),
    graphql: () => query('rulesets', {}, RULESET),
  }),
  ruleset: verb<[id: string], Json>({
    rest: (id) => get(`rulesets/${id}`),
    graphql: (id) => query('ruleset', { id }, RULESET),
  }),
  /** A set-up by number or by text. */
  setup: verb<[ruleset: string, which: { readonly number?: number; readonly text?: string }], Json>({
    rest: (ruleset, { number, ...more }) =>
      get(`rulesets/${ruleset}/setups${number === undefined ? '' : `/${number}`}`, more),
    graphql: (ruleset, which) => query('setup', { ruleset, ...which }, '{ number setup position }'),
  }),
  analyse: verb<[input: Body, selection?: string], Json>({
    rest: (input) => post('analyse', input),
    graphql: (input, selection = ANALYSIS) => query('analyse', { input }, selection),
  }),
};
