import { STATUSES } from '../../arbiter/state.js';
import { enumOf } from '../../platform/model.js';
import { CLAIMS, MOVE_FORMATS, PLAYERS, REASONS } from '../../rules/ruleset.js';
import { UNRATED_REASONS } from './unrated.js';

/** The words that many models share. */

export const SeatEnum = enumOf(PLAYERS, {
  name: 'Seat',
  description: 'A seat of a game: the player who makes ply 1 has the first.',
});
export const ReasonEnum = enumOf(REASONS, { name: 'Reason', description: 'Why a game ended.' });
export const ClaimEnum = enumOf(CLAIMS, { name: 'Claim', description: 'A draw that a player may claim.' });
export const MoveFormatEnum = enumOf(MOVE_FORMATS, {
  name: 'MoveFormat',
  description: 'How a move is written.',
  values: {
    coordinates: 'As it is stored; all games. e2e4, e7e8q, h3e3, c5.',
    san: 'All games but Xiangqi. Nf3, O-O; a1xa2, a1(?).',
    wxf: 'Xiangqi. C2=5, +R-2.',
    iccs: 'Xiangqi, ranks from 0. H2-E2.',
    ucci: 'Xiangqi, ranks from 0. h2e2.',
  },
});
export const StatusEnum = enumOf(STATUSES, {
  name: 'GameStatus',
  description: 'Where a game is in its life.',
});
export const UnratedEnum = enumOf(UNRATED_REASONS, {
  name: 'Unrated',
  description: 'Why a game has not been rated: the first of these that holds.',
  values: {
    casual: 'The players agreed on a casual game.',
    aborted: 'The game was called off.',
    tooShort:
      'Fewer than 2 plies were played. Rated all the same: whoever turned up the first piece resigned before ply 2.',
    customSetup: 'The players chose the set-up.',
  },
});
