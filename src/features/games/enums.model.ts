import { STATUSES } from '../../arbiter/state.js';
import { enumOf } from '../../platform/model.js';
import { CLAIMS, PLAYERS, REASONS } from '../../rules/ruleset.js';
import { UNRATED_REASONS } from './unrated.js';

/** The words that many models share. */

export const PlayerEnum = enumOf(PLAYERS, { name: 'Player', description: 'By who makes ply 1.' });
export const ReasonEnum = enumOf(REASONS, { name: 'Reason', description: 'Why a game ended.' });
export const ClaimEnum = enumOf(CLAIMS, { name: 'Claim', description: 'A draw that a player may claim.' });
export const StatusEnum = enumOf(STATUSES, {
  name: 'GameStatus',
  description: 'Where a game is in its life.',
});
export const UnratedEnum = enumOf(UNRATED_REASONS, {
  name: 'Unrated',
  description: 'Why a game has not been rated: the first of these that holds.',
  valuesMap: {
    casual: { description: 'The players agreed on a casual game.' },
    aborted: { description: 'The game was called off.' },
    tooShort: { description: 'Fewer than 2 plies were played.' },
    customSetup: { description: 'The players chose the set-up.' },
  },
});
