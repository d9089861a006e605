import { Int, ObjectType } from '@nestjs/graphql';
import { NOTATIONS, NOTATIONS_IN_REST } from '../games/games.model.js';
import { JsonScalar } from '../../platform/graphql/scalars.js';
import { Shown } from '../../platform/model.js';

/** What leaves the server about openings. */

@ObjectType({ description: 'How games went: by who made ply 1.' })
export class ResultCounts {
  @Shown(() => Int)
  readonly games: number;

  @Shown(() => Int)
  readonly firstWon: number;

  @Shown(() => Int)
  readonly drawn: number;

  @Shown(() => Int)
  readonly secondWon: number;
}

@ObjectType({ description: 'A move that was played in a position, and how those games went.' })
export class ExplorerMove extends ResultCounts {
  @Shown(() => String, { description: 'As it is submitted.', example: 'e2e4' })
  readonly move: string;

  @Shown(() => String, { description: 'As people write it.', example: 'e4' })
  readonly san: string;

  @Shown(() => JsonScalar, { description: NOTATIONS, rest: NOTATIONS_IN_REST })
  readonly notations: Readonly<Record<string, string>>;
}

@ObjectType({
  description:
    'What was played in a position, in all finished games that reached it, by whatever moves; a game that came back ' +
    'to it counts by its first visit.',
})
export class Explorer extends ResultCounts {
  @Shown(() => String, { description: 'The position as FEN, or its like.' })
  readonly position: string;

  @Shown(() => Int, { description: 'How many moves were given.' })
  readonly plyCount: number;

  @Shown(() => Int, {
    description:
      'Games are counted down to the position after so many plies; more moves than that are refused.',
  })
  readonly depth: number;

  @Shown(() => Int, {
    description: 'How many of the games ended here; in the others one of the moves was played.',
  })
  readonly ended: number;

  @Shown(() => [ExplorerMove], { description: 'The most played first.' })
  readonly moves: readonly ExplorerMove[];
}
