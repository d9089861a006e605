import { ArgsType, Field, Int } from '@nestjs/graphql';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, MaxLength } from 'class-validator';
import { wholeNumberOf } from './texts.js';

/** The arguments of pages. */

const MOST_OF_A_CURSOR = 500;

@ArgsType()
export class PageArgs {
  @Field(() => Int, { nullable: true, description: 'How many, from the start; 1 to 100.' })
  @IsOptional()
  @Transform(wholeNumberOf)
  @IsInt()
  readonly first?: number;

  @Field(() => String, { nullable: true, description: 'Behind this cursor.' })
  @IsOptional()
  @MaxLength(MOST_OF_A_CURSOR)
  @IsString()
  readonly after?: string;
}

/** Of a list that is read from either end. */
@ArgsType()
export class RangeArgs extends PageArgs {
  @Field(() => Int, { nullable: true, description: 'How many, from the end; 1 to 100.' })
  @IsOptional()
  @Transform(wholeNumberOf)
  @IsInt()
  readonly last?: number;

  @Field(() => String, { nullable: true, description: 'Before this cursor.' })
  @IsOptional()
  @MaxLength(MOST_OF_A_CURSOR)
  @IsString()
  readonly before?: string;
}
