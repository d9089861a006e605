import { ArgsType } from '@nestjs/graphql';
import { listOf, optional, readBy, text } from '../../platform/fields.js';
import { argsOf, inputOf } from '../../platform/inputs.js';
import { DEPTH } from './explorer.js';

/** What comes in to be explored. */

/** In the query of an address: a text with spaces or commas between. */
const movesOf = (given: unknown): unknown =>
  typeof given === 'string' ? given.split(/[ ,]+/).filter((move) => move !== '') : given;

const LINE = {
  setup: optional(text('The opening of a game that draws one; needed there.', { example: 'NQRBK/qbnrk' })),
  moves: optional(
    readBy(
      listOf(
        text(),
        `The moves from the start of a game, canonical, at most ${DEPTH}; a refusal names the wrong one, as moves.3.`,
        {
          most: DEPTH,
          error: `$ are at most ${DEPTH}: games are counted no further`,
          rest: { type: String },
          example: ['e2e4', 'e7e5'],
        },
      ),
      movesOf,
    ),
  ),
};

/** A line of moves in the query of an address, beside the rule set in its path. */
export class ExplorerQuery extends inputOf(LINE) {}

@ArgsType()
export class ExplorerArgs extends inputOf({
  ruleset: text('The id of a rule set in which nothing lies face-down.'),
  ...LINE,
}) {}

/** The rule set in a path. */
export class ExplorerParam extends argsOf({ ruleset: text() }) {}
