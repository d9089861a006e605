import { ArgsType } from '@nestjs/graphql';
import { oneOf, optional, text } from '../../platform/contract/fields.js';
import { inputOf } from '../../platform/contract/inputs.js';
import { GameFormatEnum } from './enums.model.js';

/** Options for writing a game as text, whether played here or imported. */

export const EXPORT_FIELDS = optional(
  text(
    'The fields to write of a game in JSON, separated by commas (`id,players,plies`), or those to leave out, each with a ' +
      'minus (`-plies,-tags`); `format` and `version` are always written, and all fields by default.',
  ),
);

@ArgsType()
export class ExportArgs extends inputOf({
  format: optional(
    oneOf(
      GameFormatEnum,
      'The format of the text, which the rule set must have; by default PGN for the chess family, WXF for Xiangqi, and the ' +
        'text of moves and turn-ups for face-down games.',
      { example: 'pgn' },
    ),
  ),
  fields: EXPORT_FIELDS,
}) {}

export class ExportQuery extends ExportArgs {}
