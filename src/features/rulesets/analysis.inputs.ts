import { InputType } from '@nestjs/graphql';
import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsObject, IsString, MaxLength, ValidateNested } from 'class-validator';
import { JsonScalar } from '../../platform/graphql/scalars.js';
import { Given } from '../../platform/model.js';

/** What comes in to be analysed. */

/** Moves of one line. */
export const MOST_ANALYSED = 1_000;

// Longer texts are refused by the code that knows the right length, with its own words.
const MOST_OF_A_TEXT = 500;

@InputType({ description: 'A move of a line, and what it turned up.' })
export class LineMoveInput {
  @Given(() => String, { example: 'e2e4' })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly move: string;

  @Given(() => String, { nullable: true, description: 'Letter of the piece that it turned up.' })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly reveals?: string | null;
}

@InputType({ description: 'A position, or moves from a position or from the start of a game.' })
export class AnalyseInput {
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

  @Given(() => String, {
    nullable: true,
    description:
      'The opening of a game that draws one, in place of position; the order before the draw by default.',
  })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly setup?: string | null;

  @Given(() => String, {
    nullable: true,
    description:
      'The position that the moves begin from, as FEN or its like; the start of the game by default.',
  })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly position?: string | null;

  @Given(() => String, {
    nullable: true,
    description:
      'The letters of the pieces that lie face-down in the position, in any order, where they are known.',
  })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly faceDown?: string | null;

  @Given(() => [LineMoveInput], {
    nullable: true,
    description: `The moves in order, at most ${MOST_ANALYSED}; a refusal names the wrong one, as moves.3.move.`,
  })
  @ValidateNested({ each: true, message: 'a move must be an object, as { "move": "e2e4" }' })
  @ArrayMaxSize(MOST_ANALYSED)
  @IsArray()
  @Type(() => LineMoveInput)
  readonly moves?: readonly LineMoveInput[] | null;
}
