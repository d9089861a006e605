import { ArgsType, Field, ID, InputType } from '@nestjs/graphql';
import { IsDefined, IsBoolean, IsIn, IsOptional, IsUUID } from 'class-validator';
import { Transform } from 'class-transformer';
import { JsonScalar } from '../../platform/graphql/scalars.js';
import { Given } from '../../platform/model.js';
import { PageArgs, RangeArgs } from '../../platform/page.inputs.js';
import { flagOf } from '../../platform/texts.js';
import { TREE } from '../../arbiter/acts/make-move.js';
import { GameListEnum } from './games.model.js';
import { LISTS, type GameList } from './games.store.js';

/** What comes in about games. */

const TREE_IN_REST = { type: 'array', items: { type: 'object' } } as const;

@ArgsType()
export class GameArgs {
  @Field(() => ID)
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
