import { STATUSES } from '../../arbiter/state.js';
import { enumOf } from '../../platform/model.js';
import { CLAIMS, MOVE_FORMATS, PLAYERS, REASONS } from '../../rules/ruleset.js';
import { UNRATED_REASONS } from './unrated.js';

/** The words that many models share. */

export const PlayerEnum = enumOf(PLAYERS, { name: 'Player', description: 'By who makes ply 1.' });
export const ReasonEnum = enumOf(REASONS, { name: 'Reason', description: 'Why a game ended.' });
export const ClaimEnum = enumOf(CLAIMS, { name: 'Claim', description: 'A draw that a player may claim.' });
export const MoveFormatEnum = enumOf(MOVE_FORMATS, {
  name: 'MoveFormat',
  description: 'How a move is written.',
  valuesMap: {
    coordinates: { description: 'As it is stored; all games. e2e4, e7e8q, h3e3, c5.' },
    san: { description: 'All games but Xiangqi. Nf3, O-O; a1xa2, a1(?).' },
    wxf: { description: 'Xiangqi. C2=5, +R-2.' },
    iccs: { description: 'Xiangqi, ranks from 0. H2-E2.' },
    ucci: { description: 'Xiangqi, ranks from 0. h2e2.' },
  },
});
export const StatusEnum = enumOf(STATUSES, {
  name: 'GameStatus',
  description: 'Where a game is in its life.',
});
export const UnratedEnum = enumOf(UNRATED_REASONS, {
  name: 'Unrated',
  description: 'Why a game has not been rated: the first of these that holds.',
  valuesMap: {
    CASUAL: { description: 'The players agreed on a casual game.' },
    ABORTED: { description: 'The game was called off.' },
    TOO_SHORT: {
      description:
        'Fewer than 2 plies were played. Rated all the same: whoever turned up the first piece resigned before ply 2.',
    },
    CUSTOM_SETUP: { description: 'The players chose the set-up.' },
  },
});
