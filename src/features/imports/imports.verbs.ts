import { ID } from '@nestjs/graphql';
import { Cost } from '../../platform/contract/cost.js';
import { shown } from '../../platform/contract/model.js';
import { verb } from '../../platform/contract/verb.js';
import { ImportedGame, ImportedGameDocument } from './imports.model.js';

const IMPORTED = 'The imported games in the order of the text.';

export const IMPORT_GAMES = verb('importGames', {
  needs: 'imports',
  description: 'Import games that were played elsewhere, in the order of their text: all of them, or none.',
  codes: ['INVALID_GAME_TEXT', 'INVALID_RULESET', 'ACCOUNT_CLOSED', 'LIMIT_REACHED'],
  takesKey: true,
  answers: { importedGames: shown([ImportedGame], { description: IMPORTED }, Cost({ list: 'ofParent' })) },
  inRest: { importedGames: shown([ImportedGameDocument], { description: IMPORTED }) },
});

export const DELETE_IMPORTED_GAME = verb('deleteImportedGame', {
  needs: 'imports',
  description: 'Delete a game that you have imported. This cannot be undone.',
  codes: ['NOT_FOUND', 'FORBIDDEN'],
  answers: { deletedId: shown(ID, { description: 'The id of the deleted game.' }) },
});
