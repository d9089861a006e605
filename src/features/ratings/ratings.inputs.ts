import { ArgsType, Field } from '@nestjs/graphql';
import { IsString, MaxLength } from 'class-validator';
import { PageArgs, RangeArgs } from '../../platform/page.inputs.js';

/** What comes in about ratings. */

// Who has such a name, and which rule set is meant, is said by the code that knows them.
const MOST_OF_A_NAME = 500;
const RULESET = 'The pool: the id of a rule set.';

@ArgsType()
export class PoolArgs {
  @Field(() => String, { description: RULESET })
  @MaxLength(MOST_OF_A_NAME)
  @IsString()
  readonly ruleset: string;
}

@ArgsType()
export class RatingHistoryArgs extends RangeArgs {
  @Field(() => String)
  @MaxLength(MOST_OF_A_NAME)
  @IsString()
  readonly username: string;

  @Field(() => String, { description: RULESET })
  @MaxLength(MOST_OF_A_NAME)
  @IsString()
  readonly ruleset: string;
}

@ArgsType()
export class LeaderboardArgs extends PageArgs {
  @Field(() => String, { description: RULESET })
  @MaxLength(MOST_OF_A_NAME)
  @IsString()
  readonly ruleset: string;
}

@ArgsType()
export class ExpectedScoreArgs extends PoolArgs {
  @Field(() => String, { description: 'A username.' })
  @MaxLength(MOST_OF_A_NAME)
  @IsString()
  readonly a: string;

  @Field(() => String, { description: 'A username.' })
  @MaxLength(MOST_OF_A_NAME)
  @IsString()
  readonly b: string;
}

/** A user in a path. */
export class UsernameParam {
  @MaxLength(MOST_OF_A_NAME)
  @IsString()
  readonly username: string;
}

/** A pool in a path. */
export class PoolParam {
  @MaxLength(MOST_OF_A_NAME)
  @IsString()
  readonly ruleset: string;
}

/** A user in a pool in a path. */
export class HistoryParam extends UsernameParam {
  @MaxLength(MOST_OF_A_NAME)
  @IsString()
  readonly ruleset: string;
}
