import { Int, ObjectType } from '@nestjs/graphql';
import { JsonScalar } from '../../platform/graphql/scalars.js';
import { Shown } from '../../platform/model.js';

/** What leaves the server about rule sets. */

@ObjectType({ description: 'The size of a board.' })
export class Board {
  @Shown(() => Int)
  readonly files: number;

  @Shown(() => Int)
  readonly ranks: number;
}

@ObjectType({ description: 'An option of a rule set.' })
export class RulesetOption {
  @Shown(() => String, { example: 'quietLimit' })
  readonly name: string;

  @Shown(() => String, { description: 'boolean, integer, choice, or setup: random or a set-up text.' })
  readonly type: string;

  @Shown(() => String, { description: 'What it means, for players.' })
  readonly meaning: string;

  @Shown(() => JsonScalar, {
    rest: { oneOf: [{ type: 'boolean' }, { type: 'integer' }, { type: 'string' }] },
  })
  readonly default: unknown;

  @Shown(() => Int, { nullable: true, description: 'integer: the least value.' })
  readonly min: number | null;

  @Shown(() => Int, { nullable: true, description: 'integer: the greatest value.' })
  readonly max: number | null;

  @Shown(() => [String], { nullable: true, description: 'choice: all values.' })
  readonly values: readonly string[] | null;
}

@ObjectType({ description: 'A kind of piece.' })
export class Piece {
  @Shown(() => String, {
    description: "Its letter; the second side's is the same in lower case.",
    example: 'C',
  })
  readonly letter: string;

  @Shown(() => String, { example: 'cannon' })
  readonly name: string;

  @Shown(() => [String], { nullable: true, description: 'The characters on the pieces of the two sides.' })
  readonly chinese: readonly string[] | null;

  @Shown(() => String, { description: 'How it moves and captures, for players.' })
  readonly moves: string;
}

@ObjectType({ description: 'A game that can be played here.' })
export class Ruleset {
  @Shown(() => String, { example: 'banqi-taiwan' })
  readonly id: string;

  @Shown(() => String)
  readonly name: string;

  @Shown(() => String, { nullable: true, description: 'Its Chinese name.' })
  readonly chineseName: string | null;

  @Shown(() => String, { description: 'What it is, in a paragraph.' })
  readonly summary: string;

  @Shown(() => String, { description: 'The document that the game comes from.' })
  readonly source: string;

  @Shown(() => [String], { description: 'The two sides; pieces of the first have upper case letters.' })
  readonly sides: readonly string[];

  @Shown(() => [Piece])
  readonly pieces: readonly Piece[];

  @Shown(() => Board)
  readonly board: Board;

  @Shown(() => Boolean, { description: 'Do pieces lie face-down?' })
  readonly hidden: boolean;

  @Shown(() => String, { description: 'What chance decides: none, deal or setup.' })
  readonly chance: string;

  @Shown(() => Int, { nullable: true, description: 'How many set-ups chance draws the opening from.' })
  readonly setupCount: number | null;

  @Shown(() => String, {
    description:
      'The position before ply 1, with the default options; a set-up in the order before the draw.',
  })
  readonly start: string;

  @Shown(() => [RulesetOption])
  readonly options: readonly RulesetOption[];
}

@ObjectType({ description: 'An opening of a rule set that draws one.' })
export class Setup {
  @Shown(() => Int, { description: 'From 0 to setupCount - 1.', example: 4242 })
  readonly number: number;

  @Shown(() => String, {
    description: "The first side's first row and the second's.",
    example: 'NQRBK/qbnrk',
  })
  readonly setup: string;

  @Shown(() => String, { description: 'The position before ply 1.' })
  readonly position: string;
}
