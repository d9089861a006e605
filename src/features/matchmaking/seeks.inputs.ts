import { ArgsType, Field, InputType, Int, IntersectionType } from '@nestjs/graphql';
import { Transform, Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { MAX_MOVE_SECONDS, TIME_CONTROL_TYPES } from '../../arbiter/time-control.js';
import { TimeControlTypeEnum } from '../games/clocks.model.js';
import { Given } from '../../platform/model.js';
import { PageArgs } from '../../platform/page.inputs.js';
import { flagOf, wholeNumberOf } from '../../platform/texts.js';
import { OpenTermsInput } from './challenges.inputs.js';

/** What comes in about seeks and the lobby. */

const MOST_OF_A_TEXT = 500;

@InputType({ description: 'What you want to play, with whoever fits.' })
export class CreateSeekInput extends OpenTermsInput {}

@InputType({ description: 'What you want to play, with whoever fits.' })
export class CreateSeekMutationInput extends CreateSeekInput {
  @Given(() => String, { nullable: true, description: 'The same key sent again makes no second seek.' })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly idempotencyKey?: string | null;
}

@InputType({ description: 'Which seeks of the lobby; what is left out does not matter.' })
export class LobbyFilter {
  @Given(() => String, { nullable: true, description: 'The id of a rule set.', example: 'chess' })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly ruleset?: string | null;

  @Given(() => Boolean, { nullable: true })
  @IsBoolean()
  @Transform(flagOf)
  readonly rated?: boolean | null;

  @Given(() => TimeControlTypeEnum, { nullable: true, description: 'The type of the time control.' })
  @IsIn(TIME_CONTROL_TYPES)
  readonly timeControl?: keyof typeof TimeControlTypeEnum | null;

  @Given(() => Int, {
    nullable: true,
    description:
      'Those in which the first move takes at most so many seconds: perMove seconds, initial bank.',
  })
  @Min(1)
  @Max(MAX_MOVE_SECONDS)
  @IsInt()
  @Transform(wholeNumberOf)
  readonly maxSeconds?: number | null;

  @Given(() => Boolean, {
    nullable: true,
    description: 'Those of others that want an opponent of your rating; for who is signed in.',
  })
  @IsBoolean()
  @Transform(flagOf)
  readonly acceptable?: boolean | null;
}

@ArgsType()
export class LobbyArgs extends PageArgs {
  @Field(() => LobbyFilter, { nullable: true })
  @IsOptional()
  @ValidateNested()
  @IsObject()
  @Type(() => LobbyFilter)
  readonly filter?: LobbyFilter | null;
}

/** The same in the query of an address. */
export class LobbyQuery extends IntersectionType(LobbyFilter, PageArgs) {}
