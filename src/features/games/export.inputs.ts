import { ArgsType } from '@nestjs/graphql';
import { optional, text } from '../../platform/fields.js';
import { inputOf } from '../../platform/inputs.js';

/** How a game is to be written as text, one that was played here or an imported one. */

export const EXPORT_FIELDS = optional(
  text(
    'Of games in JSON: the fields to write, separated by commas (`id,players,plies`), or those to leave out, each with ' +
      'a minus (`-plies,-tags`). `format` and `version` always stay.',
  ),
);

@ArgsType()
export class ExportArgs extends inputOf({
  format: optional(
    text(
      'pgn (chess family), wxf, iccs or ucci (Xiangqi), text (face-down games) or json (all); by default the first ' +
        'that the rule set has.',
      { example: 'pgn' },
    ),
  ),
  fields: EXPORT_FIELDS,
}) {}

/** In the query of an address. */
export class ExportQuery extends ExportArgs {}
