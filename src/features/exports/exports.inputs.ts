import { id, moment, MOST_OF_A_NUMBER, oneOf, optional, text, wholeNumber } from '../../platform/fields.js';
import { argsOf, inputOf } from '../../platform/inputs.js';
import { enumOf } from '../../platform/model.js';
import { EXPORT_FIELDS } from '../games/export.inputs.js';
import { LIST_FORMATS } from './formats.js';

/** What comes in about exports. */

/** Which games of a long list, and how. */
export class ExportListQuery extends inputOf({
  format: optional(
    oneOf(
      enumOf(LIST_FORMATS),
      'ndjson, by default: a game a line, as JSON. Any other format takes only games of the rule sets that have it: pgn those ' +
        'of the chess family, wxf and iccs those of Xiangqi, text face-down ones.',
    ),
  ),
  fields: EXPORT_FIELDS,
  ruleset: optional(text('Of this rule set alone: its id.', { example: 'chess' })),
  since: optional(moment('That ended at this moment or later.')),
  until: optional(moment('That ended before this moment.')),
  after: optional(
    id(
      'Goes on behind this game: the id of the last one that arrived (`id`, or the tag `GameId`), also when the ' +
        'answer broke off.',
    ),
  ),
  max: optional(
    wholeNumber('How many games at most, from 1; all by default.', { least: 1, most: MOST_OF_A_NUMBER }),
  ),
}) {}

/** The username in a path. */
export class PlayerParam extends argsOf({ username: text() }) {}
