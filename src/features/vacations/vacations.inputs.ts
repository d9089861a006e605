import { ArgsType, ID, Int } from '@nestjs/graphql';
import { Transform } from 'class-transformer';
import { IsDate, IsInt, IsString, IsUUID, MaxLength } from 'class-validator';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Given } from '../../platform/model.js';
import { momentOf } from '../../platform/texts.js';

/** What comes in about vacations. */

// Longer keys are refused by the code that knows the right length, with its own words.
const MOST_OF_A_KEY = 500;
const KEY = 'The same key sent again has no second effect.';

@ArgsType()
export class PlanVacationInput {
  @Given(() => DateTimeScalar, {
    nullable: true,
    description: 'Up to 365 days ahead; without it the vacation starts now.',
  })
  @IsDate({ message: 'startsAt must be a moment, written as 2026-01-31T12:00:00.000Z' })
  @Transform(momentOf)
  readonly startsAt?: Date | null;

  @Given(() => Int, {
    description: 'Whole days of 24 hours. In a calendar year (UTC) you have 30.',
    example: 7,
  })
  @IsInt({ message: 'days must be a whole number from 1' })
  readonly days: number;
}

@ArgsType()
export class PlanVacationArgs extends PlanVacationInput {
  @Given(() => String, { nullable: true, description: KEY })
  @MaxLength(MOST_OF_A_KEY)
  @IsString()
  readonly idempotencyKey?: string | null;
}

@ArgsType()
export class EndVacationArgs {
  @Given(() => ID)
  @IsUUID()
  readonly id: string;

  @Given(() => String, { nullable: true, description: KEY })
  @MaxLength(MOST_OF_A_KEY)
  @IsString()
  readonly idempotencyKey?: string | null;
}
