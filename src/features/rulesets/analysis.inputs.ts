import { InputType } from '@nestjs/graphql';
import { json, listOf, oneOf, optional, text } from '../../platform/fields.js';
import { inputField, inputOf } from '../../platform/inputs.js';
import { MoveFormatEnum } from '../games/enums.model.js';

/** What comes in to be analysed. */

/** Moves of one line. */
export const MOST_ANALYSED = 1_000;
/** Enough for so many moves with their numbers and clocks. */
export const MOST_OF_A_LINE = 32_768;

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
    text(
      'The position that the moves begin from, as FEN or its like; the start of the game by default. The counters may be ' +
        'missing; in Xiangqi Red is w or r, and horse and elephant are N, B or H, E.',
    ),
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
  text: optional(
    text(
      `The moves as a text, in place of moves: SAN or WXF, with numbers, comments and variations as files have them, at most ${MOST_ANALYSED}. A refusal names line and column.`,
      { most: MOST_OF_A_LINE, example: '1. e4 e5 2. Nf3' },
    ),
  ),
  format: optional(
    oneOf(MoveFormatEnum, 'The one way in which the moves of text are written, as in makeMove.'),
  ),
}) {}
