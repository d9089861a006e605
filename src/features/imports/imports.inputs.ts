import { InputType } from '@nestjs/graphql';
import { ApiSchema } from '@nestjs/swagger';
import { SETTINGS } from '../../settings.js';
import { id, idempotencyKey, longText, oneOf, optional, text } from '../../platform/contract/fields.js';
import { inputOf } from '../../platform/contract/inputs.js';
import { enumOf } from '../../platform/contract/model.js';
import { GameFormatEnum } from '../games/enums.model.js';
import { IMPORT_RESULTS } from './results.js';

/** Inputs about imported games. */

const GAMES = SETTINGS.MAX_GAMES_PER_IMPORT.byDefault;
const PLIES = SETTINGS.MAX_PLIES_PER_IMPORT.byDefault;

export const ImportResultEnum = enumOf(IMPORT_RESULTS, {
  name: 'ImportResult',
  description: 'A result of an imported game.',
  values: {
    firstWon: 'A win for the player who made ply 1.',
    secondWon: 'A win for the player who made ply 2.',
    drawn: 'A draw.',
  },
});

export const GAMES_TEXT = {
  text: longText(
    `The text of one or more games that are over, by default at most ${GAMES} with ${PLIES} plies in all.`,
    { example: '[White "Ada"]\n[Black "Ben"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n' },
  ),
  format: optional(oneOf(GameFormatEnum, 'The format of the text; recognised from the text if left out.')),
  ruleset: optional(
    text(
      'The id of the rule set of all games; if left out, that named in the text, or else the usual one of the format.',
      {
        example: 'chess',
      },
    ),
  ),
  result: optional(
    oneOf(
      ImportResultEnum,
      'The result of the games whose text does not state one, as in UCCI; must not contradict a stated one.',
    ),
  ),
};

@ApiSchema({ description: 'The games to import.' })
export class ImportGamesBody extends inputOf(GAMES_TEXT) {}

@InputType({
  description:
    'The input of importGames. If the text is too long for a GraphQL request, send it to POST /v1/imports.',
})
export class ImportGamesInput extends inputOf({
  idempotencyKey,
  ...GAMES_TEXT,
}) {}

@InputType({ description: 'The input of deleteImportedGame.' })
export class DeleteImportedGameInput extends inputOf({ id: id('The id of the imported game.') }) {}
