import { Int, ObjectType } from '@nestjs/graphql';
import { MOVE, POSITION, SAN } from '../games/descriptions.js';
import { NOTATIONS } from '../games/games.model.js';
import { Cost, rowsAtMost } from '../../platform/contract/cost.js';
import { model, shown } from '../../platform/contract/model.js';

/** Response types for the explorer. */

@ObjectType({ description: 'The results of finished games.' })
export class ResultCounts extends model({
  games: shown(Int, { description: 'The number of finished games.' }),
  firstWon: shown(Int, { description: 'The number of games won by the player who made ply 1.' }),
  drawn: shown(Int, { description: 'The number of draws.' }),
  secondWon: shown(Int, { description: 'The number of games won by the player who made ply 2.' }),
}) {}

@ObjectType({ description: 'A move played in a position, with the results of its games.' })
export class ExplorerMove extends model({
  ...ResultCounts.fields,
  move: shown(String, { description: MOVE, example: 'e2e4' }),
  san: shown(String, { description: SAN, example: 'e4' }),
  notations: NOTATIONS,
}) {}

@ObjectType({
  description:
    'The moves played in a position and the results, over all finished games that reached it by any moves; a game that ' +
    'reached it more than once counts by its first visit.',
})
export class Explorer extends model({
  ...ResultCounts.fields,
  position: shown(String, { description: POSITION }),
  plyCount: shown(Int, { description: 'The number of plies that lead to the position.' }),
  depth: shown(Int, {
    description: 'The largest ply count for which games are counted; requests with more moves are refused.',
  }),
  ended: shown(Int, {
    description: 'The number of games that ended in this position.',
  }),
  moves: shown(
    [ExplorerMove],
    { description: 'The moves played here, the most frequent first.' },
    Cost(rowsAtMost(60)),
  ),
}) {}
