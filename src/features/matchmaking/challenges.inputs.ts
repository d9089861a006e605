import { ArgsType, Field, ID, InputType, Int } from '@nestjs/graphql';
import { Transform, Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  IsUUID,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { TIME_CONTROL_TYPES } from '../../arbiter/time-control.js';
import { TimeControlTypeEnum } from '../games/clocks.model.js';
import { PageArgs } from '../../platform/page.inputs.js';
import { JsonScalar } from '../../platform/graphql/scalars.js';
import { Given } from '../../platform/model.js';
import { DECLINE_REASONS, SIDE_WISHES, type DeclineReason, type SideWish } from './challenge.row.js';
import { BoxEnum, DeclineReasonEnum, SideWishEnum } from './challenges.model.js';
import { BOXES, type Box } from './challenges.store.js';

const SEED = 'Your part in the shuffle: up to 64 printable ASCII characters.';
// Longer texts are refused by the code that knows the right length, with its own words.
const MOST_OF_A_TEXT = 500;

@InputType({ description: 'How long a move may take.' })
export class TimeControlInput {
  @Given(() => TimeControlTypeEnum)
  @IsIn(TIME_CONTROL_TYPES)
  readonly type: keyof typeof TimeControlTypeEnum;

  @Given(() => Int, {
    nullable: true,
    description: 'perMove: whole seconds for each move, from 60 to 5184000 (60 days).',
    example: 259200,
  })
  @IsInt()
  readonly seconds?: number | null;

  @Given(() => Int, {
    nullable: true,
    description: 'bank: whole seconds that each player begins with, from 60 to 5184000 (60 days).',
  })
  @IsInt()
  readonly initial?: number | null;

  @Given(() => Int, { nullable: true, description: 'bank: seconds that each move adds; 0 by default.' })
  @IsInt()
  readonly increment?: number | null;

  @Given(() => Int, {
    nullable: true,
    description: 'bank: seconds that are kept at most; initial by default.',
  })
  @IsInt()
  readonly cap?: number | null;

  @Given(() => Boolean, {
    nullable: true,
    description: 'The clocks run on through vacations; false by default.',
  })
  @IsBoolean()
  readonly noVacation?: boolean | null;
}

@InputType({ isAbstract: true })
export class TermsInput {
  @Given(() => String, { description: 'The id of a rule set.', example: 'chess' })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly ruleset: string;

  @Given(() => JsonScalar, {
    nullable: true,
    description: 'Options of the rule set; the rest has its default.',
  })
  @IsObject()
  // As they came: class-transformer would drop names such as `toString` unseen.
  @Transform(({ obj }: { obj: { options?: unknown } }) => obj.options)
  readonly options?: Record<string, unknown> | null;

  @Given(() => TimeControlInput)
  @ValidateNested()
  @IsObject()
  @Type(() => TimeControlInput)
  readonly timeControl: TimeControlInput;

  @Given(() => Boolean, {
    nullable: true,
    description: 'A rated game, in which no move is taken back; false by default.',
  })
  @IsBoolean()
  readonly rated?: boolean | null;

  @Given(() => SideWishEnum, { nullable: true, description: 'What you wish to play; any by default.' })
  @IsIn(SIDE_WISHES)
  readonly side?: SideWish | null;

  @Given(() => String, { nullable: true, description: SEED })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly clientSeed?: string | null;

  @Given(() => String, {
    nullable: true,
    description: 'In place of the seed its SHA-256 in hex; then the game waits for revealClientSeed.',
  })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly clientSeedHash?: string | null;

  @Given(() => Int, {
    nullable: true,
    description: 'Seconds that it stays open, from 3600 to 1209600 (14 days, the default).',
  })
  @IsInt()
  readonly expiresIn?: number | null;
}

/** Terms for somebody who is not known yet. */
@InputType({ isAbstract: true })
export class OpenTermsInput extends TermsInput {
  @Given(() => Int, {
    nullable: true,
    description: 'The lowest rating that the opponent may have in the pool, 0 to 4000.',
  })
  @IsInt()
  readonly minRating?: number | null;

  @Given(() => Int, {
    nullable: true,
    description: 'The highest rating that the opponent may have in the pool, 0 to 4000.',
  })
  @IsInt()
  readonly maxRating?: number | null;
}

@InputType({ description: 'An invitation to a game. A range of ratings goes with a link alone.' })
export class CreateChallengeInput extends OpenTermsInput {
  @Given(() => String, {
    nullable: true,
    description: 'A username. Without it the challenge is open to the first who has its link.',
    example: 'ben',
  })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly opponent?: string | null;
}

@InputType({ description: 'An invitation to a game. A range of ratings goes with a link alone.' })
export class CreateChallengeMutationInput extends CreateChallengeInput {
  @Given(() => String, { nullable: true, description: 'The same key sent again makes no second challenge.' })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly idempotencyKey?: string | null;
}

@InputType({ description: 'Other terms than those of a challenge to you.' })
export class CounterInput extends TermsInput {}

@InputType({ description: 'Other terms than those of a challenge to you.' })
export class CounterChallengeInput extends CounterInput {
  @Given(() => ID, { description: 'The challenge that it answers.' })
  @IsUUID()
  readonly id: string;

  @Given(() => String, { nullable: true, description: 'The same key sent again makes no second challenge.' })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly idempotencyKey?: string | null;
}

@ArgsType()
export class DeclineInput {
  @Given(() => DeclineReasonEnum, { nullable: true, description: 'Why; generic by default.' })
  @IsIn(DECLINE_REASONS)
  readonly reason?: DeclineReason | null;
}

@ArgsType()
export class DeclineArgs extends DeclineInput {
  @Field(() => ID)
  @IsUUID()
  readonly id: string;
}

@InputType({ description: 'The answer to a challenge.' })
export class AcceptInput {
  @Given(() => String, { nullable: true, description: 'The secret of the link of an open challenge.' })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly linkToken?: string | null;

  @Given(() => String, { nullable: true, description: SEED })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly clientSeed?: string | null;
}

@InputType({ description: 'The answer to a challenge.' })
export class AcceptChallengeInput extends AcceptInput {
  @Given(() => ID)
  @IsUUID()
  readonly id: string;
}

@InputType({ description: 'The seed whose SHA-256 came with the challenge.' })
export class SeedInput {
  @Given(() => String, { description: SEED })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly clientSeed: string;
}

@ArgsType()
export class RevealArgs {
  @Field(() => ID)
  @IsUUID()
  readonly gameId: string;

  @Field(() => String, { description: SEED })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly clientSeed: string;
}

/** The secret of a link in the query of an address, or as an argument. */
@ArgsType()
export class LinkArgs {
  @Given(() => String, { nullable: true, description: 'The secret of the link of an open challenge.' })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly linkToken?: string | null;
}

@ArgsType()
export class ChallengeArgs extends LinkArgs {
  @Field(() => ID)
  @IsUUID()
  readonly id: string;
}

@ArgsType()
export class ChallengesArgs extends PageArgs {
  @Field(() => BoxEnum)
  @IsIn(BOXES)
  readonly box: Box;
}
