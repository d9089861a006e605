import { InputType } from '@nestjs/graphql';
import { NUMBERS } from '../../config.js';
import { FORMATS } from '../../formats/formats.js';
import { id, longText, oneOf, optional, text } from '../../platform/fields.js';
import { inputOf } from '../../platform/inputs.js';
import { enumOf } from '../../platform/model.js';
import { IMPORT_RESULTS } from './results.js';

/** What comes in about imported games. */

const [, , GAMES] = NUMBERS.MAX_GAMES_PER_IMPORT;
const [, , PLIES] = NUMBERS.MAX_PLIES_PER_IMPORT;

export const GameFormatEnum = enumOf(FORMATS, {
  name: 'GameFormat',
  description: 'pgn: chess family; wxf, iccs, ucci: Xiangqi; text: face-down games; json: all.',
});
export const ImportResultEnum = enumOf(IMPORT_RESULTS, {
  name: 'ImportResult',
  description: 'How a game ended.',
});

const GAMES_TEXT = {
  text: longText(
    `One game or several, by default at most ${GAMES} with ${PLIES} plies in all: all are imported, or none. They are over.`,
    { example: '[White "Ada"]\n[Black "Ben"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n' },
  ),
  format: optional(oneOf(GameFormatEnum, 'Found out from the text when left out.')),
  ruleset: optional(
    text(
      'The id of the rule set of all of them; else the text says it, or it is the usual one of the format.',
      {
        example: 'chess',
      },
    ),
  ),
  result: optional(
    oneOf(
      ImportResultEnum,
      'How those games ended whose text does not say it, as in UCCI; one that says something else is refused.',
    ),
  ),
};

export class ImportGamesBody extends inputOf(GAMES_TEXT) {}

@InputType({ description: 'Games that were played elsewhere, as a text.' })
export class ImportGamesInput extends inputOf({
  idempotencyKey: optional(text('The same key sent again imports nothing anew.')),
  ...GAMES_TEXT,
}) {}

@InputType({ description: 'A game that you have imported.' })
export class DeleteImportedGameInput extends inputOf({ id: id() }) {}
