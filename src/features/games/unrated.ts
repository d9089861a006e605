import type { Status } from '../../arbiter/state.js';
import type { AnyRuleset } from '../../rules/registry.js';
import type { Options } from '../../rules/ruleset.js';
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
}

/** Null: the game, which is over, is to be rated. */
export function unratedReason(
  { rated, status, plyCount, options }: Over,
  ruleset: Pick<AnyRuleset, 'options'>,
): UnratedReason | null {
  if (!rated) return 'casual';
  if (status === 'aborted') return 'aborted';
  if (plyCount < LEAST_PLIES) return 'tooShort';
  return chosenSetup(ruleset, options) === null ? null : 'customSetup';
}
