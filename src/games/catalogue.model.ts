import { Int, ObjectType } from '@nestjs/graphql';
import { JsonScalar } from '../platform/graphql/scalars.js';
import { Shown } from '../platform/model.js';

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

  @Shown(() => String, { description: 'boolean, integer or choice.' })
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

@ObjectType({ description: 'A game that can be played here.' })
export class Ruleset {
  @Shown(() => String, { example: 'banqi-taiwan' })
  readonly id: string;

  @Shown(() => String)
  readonly name: string;

  @Shown(() => String, { description: 'What it is, in a paragraph.' })
  readonly summary: string;

  @Shown(() => [String], { description: 'The two sides; pieces of the first have upper case letters.' })
  readonly sides: readonly string[];

  @Shown(() => Board)
  readonly board: Board;

  @Shown(() => Boolean, { description: 'Do pieces lie face-down?' })
  readonly hidden: boolean;

  @Shown(() => String, { description: 'What chance decides: none, deal or setup.' })
  readonly chance: string;

  @Shown(() => String, { description: 'The position before ply 1, with the default options.' })
  readonly start: string;

  @Shown(() => [RulesetOption])
  readonly options: readonly RulesetOption[];
}
