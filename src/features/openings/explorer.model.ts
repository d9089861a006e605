import { Int, ObjectType } from '@nestjs/graphql';
import { NOTATIONS, NOTATIONS_IN_REST } from '../games/games.model.js';
import { Cost, rowsAtMost } from '../../platform/graphql/cost.js';
import { model, shown, shownJson } from '../../platform/model.js';

/** What leaves the server about openings. */

@ObjectType({ description: 'How games went: by who made ply 1.' })
export class ResultCounts extends model({
  games: shown(Int),
  firstWon: shown(Int),
  drawn: shown(Int),
  secondWon: shown(Int),
}) {}

@ObjectType({ description: 'A move that was played in a position, and how those games went.' })
export class ExplorerMove extends model({
  ...ResultCounts.fields,
  move: shown(String, { description: 'As it is submitted.', example: 'e2e4' }),
  san: shown(String, { description: 'As people write it.', example: 'e4' }),
  notations: shownJson<Readonly<Record<string, string>>>({ description: NOTATIONS, rest: NOTATIONS_IN_REST }),
}) {}

@ObjectType({
  description:
    'What was played in a position, in all finished games that reached it, by whatever moves; a game that came back ' +
    'to it counts by its first visit.',
})
export class Explorer extends model({
  ...ResultCounts.fields,
  position: shown(String, { description: 'The position as FEN, or its like.' }),
  plyCount: shown(Int, { description: 'How many moves were given.' }),
  depth: shown(Int, {
    description:
      'Games are counted down to the position after so many plies; more moves than that are refused.',
  }),
  ended: shown(Int, {
    description: 'How many of the games ended here; in the others one of the moves was played.',
  }),
  moves: shown([ExplorerMove], { description: 'The most played first.' }, Cost(rowsAtMost(60))),
}) {}
