import { ArgsType, Field, Int } from '@nestjs/graphql';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, MaxLength } from 'class-validator';

/** What comes in about set-ups. */

// Longer texts are refused by the code that knows the right length, with its own words.
const MOST_OF_A_TEXT = 500;

/** Digits alone: Number() takes spaces and 0x10 for numbers, too. Whether there is such a set-up the rules say. */
const numberOf = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' && /^-?(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value;

@ArgsType()
export class SetupArgs {
  @Field(() => String, { description: 'The id of a rule set.' })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly ruleset: string;

  @Field(() => Int, { nullable: true, description: 'From 0.' })
  @IsOptional()
  @IsInt()
  readonly number?: number | null;

  @Field(() => String, { nullable: true, description: 'As NQRBK/qbnrk.' })
  @IsOptional()
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly text?: string | null;
}

/** A set-up in a path. */
export class SetupParam {
  @IsString()
  readonly id: string;

  @IsInt({ message: 'number must be a whole number, as 4242' })
  @Transform(numberOf)
  readonly number: number;
}

/** A set-up in the query of an address. */
export class SetupQuery {
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly text: string;
}
