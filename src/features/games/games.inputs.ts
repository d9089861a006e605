import { ArgsType, Field, ID, InputType, Int } from '@nestjs/graphql';
import {
  Allow,
  IsDefined,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Min,
} from 'class-validator';
import { Transform } from 'class-transformer';
import { JsonScalar } from '../../platform/graphql/scalars.js';
import { Given } from '../../platform/model.js';
import { PageArgs, RangeArgs } from '../../platform/page.inputs.js';
import { flagOf } from '../../platform/texts.js';
import { CLAIMS } from '../../rules/ruleset.js';
import { GameListEnum } from './games.model.js';
import { LISTS, type GameList } from './games.store.js';
import { ClaimEnum } from './enums.model.js';

/** What comes in about games. */

const MOST_OF_A_MOVE = 16;
const PLY = 'ply must be a whole number from 1';
const TURN = 'plyCount + 1: the turn that gets the time. Sent again it gives nothing more.';
const VERSION =
  'The version of the game that this is meant for: once it has changed nothing is done (STALE_VERSION, or what else stands against it).';
const TREE_IN_REST = { type: 'array', items: { type: 'object' } } as const;
const TREE =
  'A list of up to 100 nodes in all: {"when": their move, "reply": yours, "then": [nodes]}. "reveals" names the piece ' +
  'that their move turns up, "replyRevealed" the one that your reply before it turned up; "offerDraw": true goes with ' +
  'a reply or alone, "resign": true in place of one.';

@InputType({ description: 'A move, and the number of the ply that it is meant to be.' })
export class MoveInput {
  @Given(() => Int, {
    description: 'plyCount + 1. The same move sent again for the same ply is safe.',
    example: 1,
  })
  @IsInt({ message: PLY })
  @Min(1, { message: PLY })
  readonly ply: number;

  @Given(() => String, {
    description: 'From square, to square, promotion letter; one square turns up.',
    example: 'e2e4',
  })
  @Length(1, MOST_OF_A_MOVE)
  @IsString()
  readonly move: string;

  @Given(() => Boolean, { nullable: true, description: 'Offers a draw with the move.' })
  @IsBoolean()
  readonly offerDraw?: boolean | null;

  @Given(() => JsonScalar, {
    nullable: true,
    description: `What you will answer to the moves that may follow; of no effect when the move ends the game or leaves you on move. ${TREE}`,
    rest: TREE_IN_REST,
  })
  @Allow()
  @Transform(({ obj }: { obj: { conditionalMoves?: unknown } }) => obj.conditionalMoves)
  readonly conditionalMoves?: unknown;

  @Given(() => Int, { nullable: true, description: VERSION })
  @IsInt()
  readonly version?: number | null;
}

@InputType({ description: 'A move in a game.' })
export class MakeMoveInput extends MoveInput {
  @Given(() => ID)
  @IsUUID()
  readonly gameId: string;
}

@ArgsType()
export class GameArgs {
  @Field(() => ID)
  @IsUUID()
  readonly gameId: string;
}

/** An act for which the game is all that has to be said. */
@ArgsType()
export class ActArgs extends GameArgs {
  @Field(() => Int, { nullable: true, description: VERSION })
  @IsOptional()
  @IsInt()
  readonly version?: number;
}

@InputType()
export class ActInput {
  @Given(() => Int, { nullable: true, description: VERSION })
  @IsInt()
  readonly version?: number | null;
}

@ArgsType()
export class GiveTimeArgs extends ActArgs {
  @Field(() => Int, { description: TURN })
  @IsInt({ message: PLY })
  @Min(1, { message: PLY })
  readonly ply: number;
}

@InputType()
export class GiveTimeInput extends ActInput {
  @Given(() => Int, { description: TURN, example: 12 })
  @IsInt({ message: PLY })
  @Min(1, { message: PLY })
  readonly ply: number;
}

@InputType({ description: 'The claim of a draw.' })
export class ClaimInput extends ActInput {
  @Given(() => ClaimEnum)
  @IsIn(CLAIMS)
  readonly reason: keyof typeof ClaimEnum;

  @Given(() => String, {
    nullable: true,
    description:
      'The move that brings about what is claimed; without it the claim is about the game as it stands.',
  })
  @Length(1, MOST_OF_A_MOVE)
  @IsString()
  readonly move?: string | null;
}

@InputType({ description: 'The claim of a draw.' })
export class ClaimDrawInput extends ClaimInput {
  @Given(() => ID)
  @IsUUID()
  readonly gameId: string;
}

@InputType({ description: 'What you will answer to moves that your opponent may make.' })
export class ConditionalMovesInput {
  @Given(() => JsonScalar, { description: TREE, rest: TREE_IN_REST })
  // As it came: its own reader says what is wrong with it.
  @IsDefined({ message: 'tree must be a list of nodes; to forget them, clear them' })
  @Transform(({ obj }: { obj: { tree?: unknown } }) => obj.tree)
  readonly tree: unknown;
}

@InputType({ description: 'What you will answer to moves that your opponent may make.' })
export class SetConditionalMovesInput extends ConditionalMovesInput {
  @Given(() => ID)
  @IsUUID()
  readonly gameId: string;
}

@ArgsType()
export class IdArgs {
  @Field(() => ID)
  @IsUUID()
  readonly id: string;
}

/** The id in a path. */
export class IdParam {
  @IsUUID()
  readonly id: string;
}

@ArgsType()
export class PliesArgs extends RangeArgs {
  @Field(() => Boolean, { defaultValue: false, description: 'Also those that were taken back.' })
  @IsOptional()
  @Transform(flagOf)
  @IsBoolean()
  readonly takenBack: boolean = false;
}

@ArgsType()
export class MyGamesArgs extends PageArgs {
  @Field(() => GameListEnum, {
    defaultValue: 'running',
    description: 'running: what wants you first, by deadline; ended and all: by last activity, newest first.',
  })
  @IsOptional()
  @IsIn(LISTS)
  readonly list: GameList = 'running';
}
