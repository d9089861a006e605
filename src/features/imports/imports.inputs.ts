import { ArgsType, Field, InputType, registerEnumType } from '@nestjs/graphql';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { NUMBERS } from '../../config.js';
import { FORMATS, type FormatId } from '../../formats/formats.js';
import { enumOf, Given } from '../../platform/model.js';
import { IMPORT_RESULTS, type ImportResult } from './results.js';

/** What comes in about imported games. */

const MOST_OF_A_TEXT = 500;
const [, , GAMES] = NUMBERS.MAX_GAMES_PER_IMPORT;
const [, , PLIES] = NUMBERS.MAX_PLIES_PER_IMPORT;

export const GameFormatEnum = enumOf(FORMATS);
export const ImportResultEnum = enumOf(IMPORT_RESULTS);
registerEnumType(GameFormatEnum, {
  name: 'GameFormat',
  description: 'pgn: chess family; wxf, iccs, ucci: Xiangqi; text: face-down games; json: all.',
});
registerEnumType(ImportResultEnum, { name: 'ImportResult', description: 'How a game ended.' });

@InputType({ description: 'Games that were played elsewhere, as a text.' })
export class ImportGamesInput {
  @Given(() => String, {
    description: `One game or several, by default at most ${GAMES} with ${PLIES} plies in all: all are imported, or none. They are over.`,
    example: '[White "Ada"]\n[Black "Ben"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n',
  })
  @IsString()
  readonly text: string;

  @Given(() => GameFormatEnum, { nullable: true, description: 'Found out from the text when left out.' })
  @IsIn(FORMATS)
  readonly format?: FormatId | null;

  @Given(() => String, {
    nullable: true,
    description:
      'The id of the rule set of all of them; else the text says it, or it is the usual one of the format.',
    example: 'chess',
  })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly ruleset?: string | null;

  @Given(() => ImportResultEnum, {
    nullable: true,
    description:
      'How those games ended whose text does not say it, as in UCCI; one that says something else is refused.',
  })
  @IsIn(IMPORT_RESULTS)
  readonly result?: ImportResult | null;
}

@InputType({ description: 'Games that were played elsewhere, as a text.' })
export class ImportGamesMutationInput extends ImportGamesInput {
  @Given(() => String, { nullable: true, description: 'The same key sent again imports nothing anew.' })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly idempotencyKey?: string | null;
}

const FORMAT = 'One that the rule set of the game has; by default the usual one.';

@ArgsType()
export class ImportExportArgs {
  @Field(() => String, { nullable: true, description: FORMAT })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  @IsOptional()
  readonly format?: string | null;
}

/** In the query of an address. */
export class ImportExportQuery {
  @Given(() => String, { nullable: true, description: FORMAT, example: 'pgn' })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly format?: string | null;
}
