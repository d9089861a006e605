import type { Status } from '../../arbiter/state.js';
import type { AnyRuleset } from '../../rules/registry.js';
import type { Options, Player, Reason } from '../../rules/ruleset.js';
import { chosenSetup } from '../../rules/setup.js';

/** Why a game that is over is not rated: the first of these that holds. */
export const UNRATED_REASONS = ['casual', 'aborted', 'tooShort', 'customSetup'] as const;
export type UnratedReason = (typeof UNRATED_REASONS)[number];

const LEAST_PLIES = 2;

/** What it depends on. */
interface Over {
  readonly rated: boolean;
  readonly status: Status;
  readonly plyCount: number;
  readonly options: Options;
  readonly winner: Player | null;
  readonly reason: Reason | null;
}

/** Null: the game, which is over, is to be rated. */
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

/** Ply 1 turned up a piece, and its player resigned: a deal that is disliked costs what any other lost game costs. */
const isDealRefused = ({ plyCount, winner, reason }: Over, { chance }: Pick<AnyRuleset, 'chance'>): boolean =>
  chance === 'deal' && plyCount === 1 && reason === 'resignation' && winner === 'second';
