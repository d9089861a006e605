import {
  id,
  moment,
  MOST_OF_A_NUMBER,
  oneOf,
  optional,
  text,
  wholeNumber,
} from '../../platform/contract/fields.js';
import { inputOf } from '../../platform/contract/inputs.js';
import { enumOf } from '../../platform/contract/model.js';
import { EXPORT_FIELDS } from '../games/export.inputs.js';
import { LIST_FORMATS } from './formats.js';

/** The games to export, and their format. */
export class ExportListQuery extends inputOf({
  format: optional(
    oneOf(
      enumOf(LIST_FORMATS),
      'The format of the games: ndjson (one game a line, as JSON; the default), or one that leaves out games of other rule ' +
        'sets: pgn (chess family), wxf or iccs (Xiangqi), text (face-down games).',
    ),
  ),
  player: optional(
    text('The username of the only player whose games to export; all when left out.', { example: 'ann' }),
  ),
  fields: EXPORT_FIELDS,
  ruleset: optional(text('The id of the only rule set to export; all when left out.', { example: 'chess' })),
  since: optional(moment('The earliest time of the end, inclusive.')),
  until: optional(moment('The latest time of the end, exclusive.')),
  after: optional(
    id(
      'The id of the game to continue after: the last one that arrived completely (`id`, or the tag `GameId`).',
    ),
  ),
  max: optional(
    wholeNumber('The greatest number of games, from 1; all by default.', {
      least: 1,
      most: MOST_OF_A_NUMBER,
    }),
  ),
}) {}
