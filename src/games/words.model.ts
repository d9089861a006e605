import { registerEnumType } from '@nestjs/graphql';
import { STATUSES } from '../arbiter/table.js';
import { enumOf } from '../platform/model.js';
import { CLAIMS, PLAYERS, REASONS } from '../rules/ruleset.js';

/** The words that many models share. */

export const PlayerEnum = enumOf(PLAYERS);
export const ReasonEnum = enumOf(REASONS);
export const ClaimEnum = enumOf(CLAIMS);
export const StatusEnum = enumOf(STATUSES);
registerEnumType(PlayerEnum, { name: 'Player', description: 'By who makes ply 1.' });
registerEnumType(ReasonEnum, { name: 'Reason', description: 'Why a game ended.' });
registerEnumType(ClaimEnum, { name: 'Claim', description: 'A draw that a player may claim.' });
registerEnumType(StatusEnum, { name: 'GameStatus', description: 'Where a game is in its life.' });
