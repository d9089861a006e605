import { ObjectType } from '@nestjs/graphql';
import { Cost } from '../../platform/graphql/cost.js';
import { JsonScalar } from '../../platform/graphql/scalars.js';
import { Shown } from '../../platform/model.js';
import { LegalMove, NOTATIONS, NOTATIONS_IN_REST, Outcome } from '../games/games.model.js';
import { ClaimEnum, PlayerEnum } from '../games/enums.model.js';

/** What leaves the server about positions and lines that belong to no game. */

@ObjectType({ description: 'What each of the two players could still do.' })
export class Chances {
  @Shown(() => Boolean)
  readonly first: boolean;

  @Shown(() => Boolean)
  readonly second: boolean;
}

@ObjectType({ description: 'A move of the given line.' })
export class AnalysedPly {
  @Shown(() => PlayerEnum)
  readonly player: keyof typeof PlayerEnum;

  @Shown(() => String, { example: 'e2e4' })
  readonly move: string;

  @Shown(() => String, { nullable: true, description: 'Letter of the piece that it turned up.' })
  readonly reveals: string | null;

  @Shown(() => String, { nullable: true, description: 'Letter of the piece that it captured.' })
  readonly captured: string | null;

  @Shown(() => String, { description: 'As people write it.', example: 'e4' })
  readonly san: string;

  @Shown(() => JsonScalar, { description: NOTATIONS, rest: NOTATIONS_IN_REST })
  readonly notations: Readonly<Record<string, string>>;

  @Shown(() => String, { description: 'The position after it.' })
  readonly position: string;
}

@ObjectType({ description: 'What holds after the last of the given moves.' })
export class Analysis {
  @Shown(() => String, { description: 'The position as FEN, or its like. A face-down piece is x.' })
  readonly position: string;

  @Shown(() => PlayerEnum, { nullable: true, description: 'Who is to move; null when the game is over.' })
  readonly turn: keyof typeof PlayerEnum | null;

  @Shown(() => Boolean, { description: 'Is the side to move in check?' })
  readonly check: boolean;

  @Shown(() => Outcome, { nullable: true, description: 'By the rules alone; null when the game goes on.' })
  readonly outcome: Outcome | null;

  @Shown(() => [ClaimEnum], { description: 'The draws that a player may claim.' })
  readonly claimable: readonly (keyof typeof ClaimEnum)[];

  @Shown(() => Chances, {
    description: 'Could a player still win by some series of legal moves? Decides what a timeout is worth.',
  })
  readonly canWin: Chances;

  @Shown(() => String, { description: 'The letters of all pieces that a turn-up may show, by elimination.' })
  readonly mayTurnUp: string;

  @Shown(() => [LegalMove], { description: 'Of the player to move; none when the game is over.' })
  readonly legalMoves: readonly LegalMove[];

  @Cost({ list: 'ofParent' })
  @Shown(() => [AnalysedPly], { description: 'The given moves, judged.' })
  readonly plies: readonly AnalysedPly[];
}
