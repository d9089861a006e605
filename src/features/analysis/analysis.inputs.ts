import { InputType } from '@nestjs/graphql';
import { json, listOf, oneOf, optional, text } from '../../platform/contract/fields.js';
import { inputField, inputOf } from '../../platform/contract/inputs.js';
import { RULESET_ID } from '../rulesets/descriptions.js';
import { MoveFormatEnum } from '../games/enums.model.js';

/** The most moves of one line. */
export const MOST_ANALYSED = 1_000;
/** The longest text: enough for that many moves with numbers and clocks. */
export const MOST_OF_A_LINE = 32_768;

@InputType({ description: 'A move of a line, with the piece that it turned up.' })
export class LineMoveInput extends inputOf({
  move: text('The move in coordinates.', { example: 'e2e4' }),
  reveals: optional(text('The letter of the piece that the move turned up; null when it turned up none.')),
}) {}

@InputType({ description: 'A position or a line of moves to analyse.' })
export class AnalyseInput extends inputOf({
  ruleset: text(RULESET_ID, { example: 'chess' }),
  options: optional(json('The options of the rule set by name; those left out have their defaults.')),
  setup: optional(
    text(
      'The set-up that the moves begin from where the rule set draws one, in place of position; KQRBN/kqrbn, the order before the rows are shuffled, by default.',
    ),
  ),
  position: optional(
    text(
      'The position that the moves begin from, as FEN; the start of the game by default. The counters may be left out; ' +
        'in Xiangqi Red may be w or r, the horse N or H, and the elephant B or E.',
    ),
  ),
  faceDown: optional(
    text('The letters of the face-down pieces of the position in any order; unknown when left out.'),
  ),
  moves: optional(
    listOf(
      inputField(LineMoveInput, 'A move of the line.', 'a move must be an object such as { "move": "e2e4" }'),
      `The moves in order, at most ${MOST_ANALYSED}; an error names the wrong one, as in moves.3.move.`,
      { most: MOST_ANALYSED },
    ),
  ),
  text: optional(
    text(
      `The moves as a text in place of moves, in SAN or WXF with numbers, comments and variations as in a file; at most ${MOST_ANALYSED} moves and ${MOST_OF_A_LINE} characters. An error names line and column.`,
      { most: MOST_OF_A_LINE, example: '1. e4 e5 2. Nf3' },
    ),
  ),
  format: optional(
    oneOf(MoveFormatEnum, 'The notation of the moves in `text`; recognised from the text when left out.'),
  ),
}) {}
