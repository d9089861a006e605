import { ArgsType } from '@nestjs/graphql';
import { listOf, optional, readBy, text } from '../../platform/contract/fields.js';
import { argsOf, inputOf } from '../../platform/contract/inputs.js';
import { DEPTH } from './explorer.js';

/** Inputs of the explorer. */

/** In the query string: moves separated by spaces or commas. */
const movesOf = (given: unknown): unknown =>
  typeof given === 'string' ? given.split(/[ ,]+/).filter((move) => move !== '') : given;

export const EXPLORED_RULESET = 'The id of a rule set without face-down pieces.';
export const EXPLORED_SETUP = 'The set-up of the game; required where the rule set draws one.';
export const EXPLORED_MOVES = `The moves from the start of the game in coordinates, at most ${DEPTH}; none by default.`;

const LINE = {
  setup: optional(text(EXPLORED_SETUP, { example: 'NQRBK/qbnrk' })),
  moves: optional(
    readBy(
      listOf(text(), EXPLORED_MOVES, {
        most: DEPTH,
        rest: { type: String },
        example: ['e2e4', 'e7e5'],
      }),
      movesOf,
    ),
  ),
};

export class ExplorerQuery extends inputOf(LINE) {}

@ArgsType()
export class ExplorerArgs extends inputOf({
  ruleset: text(EXPLORED_RULESET),
  ...LINE,
}) {}

export class ExplorerParam extends argsOf({ ruleset: text(EXPLORED_RULESET) }) {}
