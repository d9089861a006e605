import { ArgsType, Field, ID, InputType, Int } from '@nestjs/graphql';
import { IsIn, IsInt, IsOptional, IsString, IsUUID, Length, MaxLength, Min } from 'class-validator';
import { Type } from 'class-transformer';
import { Given } from '../platform/model.js';
import { GameListEnum } from './games.model.js';
import { LISTS, type GameList } from './games.store.js';

/** What comes in about games. */

const MOST_OF_A_MOVE = 16;
const PLY = 'ply must be a whole number from 1';

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
export class PageArgs {
  @Field(() => Int, { nullable: true, description: 'How many, from the start; 1 to 100.' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  readonly first?: number;

  @Field(() => String, { nullable: true, description: 'Behind this cursor.' })
  @IsOptional()
  @MaxLength(500)
  @IsString()
  readonly after?: string;
}

@ArgsType()
export class PliesArgs extends PageArgs {
  @Field(() => Int, { nullable: true, description: 'How many, from the end; 1 to 100.' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  readonly last?: number;

  @Field(() => String, { nullable: true, description: 'Before this cursor.' })
  @IsOptional()
  @MaxLength(500)
  @IsString()
  readonly before?: string;
}

@ArgsType()
export class MyGamesArgs extends PageArgs {
  @Field(() => GameListEnum, { defaultValue: 'all' })
  @IsOptional()
  @IsIn(LISTS)
  readonly list: GameList = 'all';
}
