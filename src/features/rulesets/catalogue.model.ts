import { Int, ObjectType } from '@nestjs/graphql';
import { listed } from '../../platform/listed.js';
import { Cost, rowsAtMost } from '../../platform/graphql/cost.js';
import { rulesets } from '../../rules/registry.js';
import { model, shown, shownJson } from '../../platform/model.js';

/** What leaves the server about rule sets. */

export const ALL_RULESETS = rowsAtMost(rulesets().length);

@ObjectType({ description: 'The size of a board.' })
export class BoardSize extends model({
  files: shown(Int),
  ranks: shown(Int),
}) {}

@ObjectType({ description: 'An option of a rule set.' })
export class RulesetOption extends model({
  name: shown(String, { example: 'quietLimit' }),
  type: shown(String, { description: 'boolean, integer, choice, or setup: random or a set-up text.' }),
  meaning: shown(String, { description: 'What it means, for players.' }),
  default: shownJson<unknown>({
    rest: { oneOf: [{ type: 'boolean' }, { type: 'integer' }, { type: 'string' }] },
  }),
  min: shown(Int, { nullable: true, description: 'integer: the least value.' }),
  max: shown(Int, { nullable: true, description: 'integer: the greatest value.' }),
  values: shown([String], { nullable: true, description: 'choice: all values.' }),
}) {}

@ObjectType({ description: 'A kind of piece.' })
export class Piece extends model({
  letter: shown(String, {
    description: "Its letter; the second side's is the same in lower case.",
    example: 'C',
  }),
  name: shown(String, { example: 'cannon' }),
  chinese: shown([String], { nullable: true, description: 'The characters on the pieces of the two sides.' }),
  moves: shown(String, { description: 'How it moves and captures, for players.' }),
}) {}

@ObjectType({ description: 'A game that can be played here.' })
export class Ruleset extends model({
  id: shown(String, { example: 'banqi-taiwan' }),
  version: shown(Int, {
    description: 'Of its rules: one higher whenever a change of them judges a game otherwise than before.',
  }),
  name: shown(String),
  chineseName: shown(String, { nullable: true, description: 'Its Chinese name.' }),
  summary: shown(String, { description: 'What it is, in a paragraph.' }),
  source: shown(String, { description: 'The document that the game comes from.' }),
  sides: shown([String], { description: 'The two sides; pieces of the first have upper case letters.' }),
  pieces: shown([Piece], { description: 'The kinds of pieces.' }, Cost(rowsAtMost(7))),
  board: shown(BoardSize),
  hidden: shown(Boolean, { description: 'Do pieces lie face-down?' }),
  chance: shown(String, { description: 'What chance decides: none, deal or setup.' }),
  setupCount: shown(Int, { nullable: true, description: 'How many set-ups chance draws the opening from.' }),
  start: shown(String, {
    description:
      'The position before ply 1, with the default options; a set-up in the order before the draw.',
  }),
  options: shown([RulesetOption], { description: 'What the players may choose.' }, Cost(rowsAtMost(8))),
}) {}

/** Rule sets in REST. */
export class RulesetPage extends model(listed(Ruleset)) {}

@ObjectType({ description: 'An opening of a rule set that draws one.' })
export class Setup extends model({
  number: shown(Int, { description: 'From 0 to setupCount - 1.', example: 4242 }),
  setup: shown(String, {
    description: "The first side's first row and the second's.",
    example: 'NQRBK/qbnrk',
  }),
  position: shown(String, { description: 'The position before ply 1.' }),
}) {}
