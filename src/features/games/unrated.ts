import type { Status } from '../../arbiter/state.js';
import type { AnyRuleset } from '../../rules/registry.js';
import type { Options, Player, Reason } from '../../rules/ruleset.js';
import { chosenSetup } from '../../rules/setup.js';

/** Reasons why a game is not rated, in the order in which they are checked. */
export const UNRATED_REASONS = ['casual', 'aborted', 'tooShort', 'customSetup'] as const;
export type UnratedReason = (typeof UNRATED_REASONS)[number];

const LEAST_PLIES = 2;

interface Over {
  readonly rated: boolean;
  readonly status: Status;
  readonly plyCount: number;
  readonly options: Options;
  readonly winner: Player | null;
  readonly reason: Reason | null;
}

/** The reason why a game that is over is not rated; null if it is to be rated. */
export function unratedReason(
  over: Over,
  ruleset: Pick<AnyRuleset, 'options' | 'chance'>,
): UnratedReason | null {
  const { rated, status, plyCount, options } = over;
  if (!rated) return 'casual';
  if (status === 'aborted') return 'aborted';
  if (plyCount < LEAST_PLIES && !isDealRefused(over, ruleset)) return 'tooShort';
  return chosenSetup(ruleset, options) === null ? null : 'customSetup';
}

/** True if the first player turned up a piece and resigned: rejecting an unlucky deal must cost as much as any loss. */
const isDealRefused = ({ plyCount, winner, reason }: Over, { chance }: Pick<AnyRuleset, 'chance'>): boolean =>
  chance === 'deal' && plyCount === 1 && reason === 'resignation' && winner === 'second';
