import { ArgsType, Int } from '@nestjs/graphql';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsString, MaxLength } from 'class-validator';
import { Given } from '../../platform/model.js';
import { flagOf, wholeNumberOf } from '../../platform/texts.js';

const MOST_OF_A_CURSOR = 500;

@ArgsType()
export class ChangesArgs {
  @Given(() => String, {
    nullable: true,
    description:
      'The cursor of your last answer, at most 90 days old. Without it from the beginning: all there is.',
  })
  @MaxLength(MOST_OF_A_CURSOR)
  @IsString()
  readonly since?: string | null;

  @Given(() => Int, { nullable: true, description: 'How many; 1 to 100, and 100 by default.' })
  @Transform(wholeNumberOf)
  @IsInt()
  readonly first?: number | null;

  @Given(() => Boolean, {
    nullable: true,
    description:
      'No changes, and the cursor of this moment: for whoever reads everything else by other queries, afterwards.',
  })
  @Transform(flagOf)
  @IsBoolean()
  readonly fromNow?: boolean | null;
}
