import type { Outcome } from '../rules/ruleset.js';

/** How a game ended, for people. */
export const inWords = (outcome: Outcome | null): string =>
  outcome === null
    ? 'no end'
    : `${outcome.reason}, ${outcome.winner === null ? 'nobody wins' : `${outcome.winner} wins`}`;
