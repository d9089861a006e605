import type { Outcome } from '../rules/ruleset.js';

/** How a game ended, for people. */
export const outcomeText = (outcome: Outcome | null): string =>
  outcome === null
    ? 'not over'
    : `${outcome.reason}, ${outcome.winner === null ? 'no winner' : `${outcome.winner} wins`}`;
