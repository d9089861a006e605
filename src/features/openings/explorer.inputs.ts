import { ArgsType, Field } from '@nestjs/graphql';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsString, MaxLength } from 'class-validator';
import { Given } from '../../platform/model.js';
import { DEPTH } from './explorer.js';

/** What comes in to be explored. */

// Longer texts are refused by the code that knows the right length, with its own words.
const MOST_OF_A_TEXT = 500;

/** In the query of an address: a text with spaces or commas between. */
const listOf = ({ value }: { readonly value: unknown }): unknown =>
  typeof value === 'string' ? value.split(/[ ,]+/).filter((move) => move !== '') : value;

/** A line of moves; in the query of an address beside the rule set in its path. */
@ArgsType()
export class ExplorerQuery {
  @Given(() => String, {
    nullable: true,
    description: 'The opening of a game that draws one; needed there.',
    example: 'NQRBK/qbnrk',
  })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly setup?: string | null;

  @Given(() => [String], {
    nullable: true,
    description: `The moves from the start of a game, canonical, at most ${DEPTH}; a refusal names the wrong one, as moves.3.`,
    rest: { type: String },
    example: ['e2e4', 'e7e5'],
  })
  @MaxLength(MOST_OF_A_TEXT, { each: true })
  @IsString({ each: true })
  @ArrayMaxSize(DEPTH, {
    message: `moves are at most ${DEPTH}: games are counted no further`,
  })
  @IsArray()
  @Transform(listOf)
  readonly moves?: readonly string[] | null;
}

@ArgsType()
export class ExplorerArgs extends ExplorerQuery {
  @Field(() => String, { description: 'The id of a rule set in which nothing lies face-down.' })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly ruleset: string;
}

/** The rule set in a path. */
export class ExplorerParam {
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly ruleset: string;
}
