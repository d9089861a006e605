import { ArgsType, Field, ID, Int } from '@nestjs/graphql';
import { Transform } from 'class-transformer';
import { IsDate, IsIn, IsInt, IsOptional, IsString, IsUUID, Max, MaxLength, Min } from 'class-validator';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { enumOf, Given } from '../../platform/model.js';
import { momentOf, wholeNumberOf } from '../../platform/texts.js';
import { LIST_FORMATS, type ListFormat } from './formats.js';

/** What comes in about exports. */

const MOST_OF_A_TEXT = 500;
const MOST_OF_A_NUMBER = 2 ** 31 - 1;
const FORMAT =
  'pgn (chess family), wxf, iccs or ucci (Xiangqi), text (face-down games) or json (all); by default the first that ' +
  'the rule set has.';
const MOMENT = { message: '$property must be a moment as 2026-01-31T12:00:00.000Z' };

@ArgsType()
export class ExportArgs {
  @Field(() => String, { nullable: true, description: FORMAT })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  @IsOptional()
  readonly format?: string | null;
}

/** In the query of an address. */
export class ExportQuery {
  @Given(() => String, { nullable: true, description: FORMAT, example: 'pgn' })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly format?: string | null;
}

/** Which games of a long list, and how. */
export class ExportListQuery {
  @Given(() => enumOf(LIST_FORMATS), {
    nullable: true,
    description:
      'ndjson, by default: a game a line. Any other format takes only games of the rule sets that have it: pgn those ' +
      'of the chess family, wxf and iccs those of Xiangqi, text face-down ones.',
  })
  @IsIn(LIST_FORMATS)
  readonly format?: ListFormat | null;

  @Given(() => String, { nullable: true, description: 'Of this rule set alone: its id.', example: 'chess' })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly ruleset?: string | null;

  @Given(() => DateTimeScalar, { nullable: true, description: 'That ended at this moment or later.' })
  @IsDate(MOMENT)
  @Transform(momentOf)
  readonly since?: Date | null;

  @Given(() => DateTimeScalar, { nullable: true, description: 'That ended before this moment.' })
  @IsDate(MOMENT)
  @Transform(momentOf)
  readonly until?: Date | null;

  @Given(() => ID, {
    nullable: true,
    description:
      'Goes on behind this game: the id of the last one that arrived (`id`, or the tag `GameId`), also when the ' +
      'answer broke off.',
  })
  @IsUUID()
  readonly after?: string | null;

  @Given(() => Int, { nullable: true, description: 'How many games at most, from 1; all by default.' })
  @Max(MOST_OF_A_NUMBER)
  @Min(1)
  @IsInt()
  @Transform(wholeNumberOf)
  readonly max?: number | null;
}

/** The username in a path. */
export class PlayerParam {
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly username: string;
}
