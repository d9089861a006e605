import { InputType } from '@nestjs/graphql';
import { json, listOf, optional, text } from '../../platform/fields.js';
import { inputField, inputOf } from '../../platform/inputs.js';

/** What comes in to be analysed. */

/** Moves of one line. */
export const MOST_ANALYSED = 1_000;

@InputType({ description: 'A move of a line, and what it turned up.' })
export class LineMoveInput extends inputOf({
  move: text('', { example: 'e2e4' }),
  reveals: optional(text('Letter of the piece that it turned up.')),
}) {}

@InputType({ description: 'A position, or moves from a position or from the start of a game.' })
export class AnalyseInput extends inputOf({
  ruleset: text('The id of a rule set.', { example: 'chess' }),
  options: optional(json('Options of the rule set; the rest has its default.')),
  setup: optional(
    text('The opening of a game that draws one, in place of position; the order before the draw by default.'),
  ),
  position: optional(
    text('The position that the moves begin from, as FEN or its like; the start of the game by default.'),
  ),
  faceDown: optional(
    text('The letters of the pieces that lie face-down in the position, in any order, where they are known.'),
  ),
  moves: optional(
    listOf(
      inputField(LineMoveInput, '', 'a move must be an object, as { "move": "e2e4" }'),
      `The moves in order, at most ${MOST_ANALYSED}; a refusal names the wrong one, as moves.3.move.`,
      { most: MOST_ANALYSED },
    ),
  ),
}) {}
