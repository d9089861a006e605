import { ID, Int, ObjectType } from '@nestjs/graphql';
import { UrlScalar } from '../../platform/contract/scalars.js';
import { ApiSchema } from '@nestjs/swagger';
import { Node } from '../../platform/contract/node.js';
import { pageFields } from '../../platform/contract/paginated.js';
import { Cost, rowsAtMost } from '../../platform/contract/cost.js';
import { RULES_VERSION, RULESET_ID } from './descriptions.js';
import { rulesets } from '../../rules/registry.js';
import { enumOf, model, shown, shownJson } from '../../platform/contract/model.js';
import { CHANCES, OPTION_TYPES } from '../../rules/ruleset.js';

/** Response types for rule sets. */

export const ALL_RULESETS = rowsAtMost(rulesets().length);

const ChanceEnum = enumOf(CHANCES, {
  name: 'Chance',
  description: 'What chance decides in a rule set.',
  values: {
    none: 'Chance decides nothing.',
    deal: 'Chance deals the face-down pieces.',
    setup: 'Chance draws the set-up of the first rows.',
  },
});
const OptionTypeEnum = enumOf(OPTION_TYPES, {
  name: 'RulesetOptionType',
  description: 'The type of the value of an option.',
  values: {
    boolean: 'True or false.',
    integer: 'A whole number from `min` to `max`.',
    choice: 'One of `values`.',
    setup: 'The text of a set-up, or `random`.',
  },
});

@ObjectType({ description: 'The size of a board.' })
export class BoardSize extends model({
  files: shown(Int, { description: 'The number of files, from a on.' }),
  ranks: shown(Int, { description: 'The number of ranks, from 1 on.' }),
}) {}

@ObjectType({ description: 'An option of a rule set, which the players agree on.' })
export class RulesetOption extends model({
  name: shown(String, { description: 'The name of the option.', example: 'quietLimit' }),
  type: shown(OptionTypeEnum, {
    description: 'The type of the value: for a choice one of `values`, for a set-up its text or `random`.',
  }),
  meaning: shown(String, { description: 'The meaning of the option, in a sentence for players.' }),
  default: shownJson<unknown>({
    description: 'The value when the option is left out.',
    rest: { oneOf: [{ type: 'boolean' }, { type: 'integer' }, { type: 'string' }] },
  }),
  min: shown(Int, {
    nullable: true,
    description: 'The smallest value of an integer option; null for any other type.',
  }),
  max: shown(Int, {
    nullable: true,
    description: 'The greatest value of an integer option; null for any other type.',
  }),
  values: shown([String], {
    nullable: true,
    description: 'The values of a choice; null for any other type.',
  }),
}) {}

@ObjectType({ description: 'A kind of piece of a rule set.' })
export class Piece extends model({
  letter: shown(String, {
    description:
      "The letter of the first side's piece, in upper case; the second side's is the same in lower case.",
    example: 'C',
  }),
  name: shown(String, { description: 'The English name.', example: 'cannon' }),
  chinese: shown([String], {
    nullable: true,
    description: 'The Chinese characters on the pieces of the first and the second side; null without any.',
  }),
  moves: shown(String, {
    description: 'The way in which the piece moves and captures, in a sentence for players.',
  }),
}) {}

export const BOARD_URL = 'The URL of a picture of the start as SVG; with .png in place of .svg as PNG.';

@ObjectType({ description: 'A rule set that games can be played by.', implements: () => [Node] })
export class Ruleset extends model({
  id: shown(ID, { description: RULESET_ID, rest: { type: String, example: 'banqi-taiwan' } }),
  version: shown(Int, {
    description: RULES_VERSION,
  }),
  name: shown(String, { description: 'The English name.' }),
  chineseName: shown(String, { nullable: true, description: 'The Chinese name; null without one.' }),
  summary: shown(String, { description: 'A summary of the rules, in a paragraph for players.' }),
  source: shown(String, { description: 'The name of the document that the rules come from.' }),
  sides: shown([String], {
    description: 'The names of the two sides; the pieces of the first have letters in upper case.',
  }),
  pieces: shown([Piece], { description: 'The kinds of pieces.' }, Cost(rowsAtMost(7))),
  board: shown(BoardSize, { description: 'The size of the board.' }),
  boardUrl: shown(UrlScalar, { description: BOARD_URL }),
  hidden: shown(Boolean, { description: 'True if the game begins with face-down pieces.' }),
  chance: shown(ChanceEnum, {
    description:
      'What chance decides: nothing, the deal of the face-down pieces, or the set-up of the first rows.',
  }),
  setupCount: shown(Int, {
    nullable: true,
    description: 'The number of set-ups that one is drawn from; null where none is drawn.',
  }),
  start: shown(String, {
    description:
      'The position before ply 1 with the default options, as FEN; a drawn set-up is KQRBN/kqrbn there, the order before the rows are shuffled.',
  }),
  options: shown(
    [RulesetOption],
    { description: 'The options that the players agree on.' },
    Cost(rowsAtMost(8)),
  ),
}) {}

@ApiSchema({ description: 'The list of rule sets.' })
export class RulesetPage extends model(pageFields(Ruleset)) {}

@ObjectType({ description: 'A set-up of a rule set that draws one.' })
export class Setup extends model({
  number: shown(Int, { description: 'The number of the set-up, from 0 to setupCount - 1.', example: 4242 }),
  setup: shown(String, {
    description: "The first side's first row and the second side's, separated by a slash.",
    example: 'NQRBK/qbnrk',
  }),
  position: shown(String, { description: 'The position before ply 1, as FEN.' }),
}) {}
