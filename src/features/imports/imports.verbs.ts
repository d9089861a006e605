import { ID } from '@nestjs/graphql';
import { Cost } from '../../platform/graphql/cost.js';
import { shown } from '../../platform/model.js';
import { verb } from '../../platform/verb.js';
import { ImportedGame, ImportedGameDocument } from './imports.model.js';

export const IMPORT_GAMES = verb('importGames', {
  description:
    'Brings games here that were played elsewhere, in the order of their text: all of them, or none. What is longer ' +
    'than a request of GraphQL may be goes to POST /v1/imports.',
  answers: { importedGames: shown([ImportedGame], {}, Cost({ list: 'ofParent' })) },
  inRest: { importedGames: shown([ImportedGameDocument]) },
});

export const DELETE_IMPORTED_GAME = verb('deleteImportedGame', {
  description: 'Deletes a game that you have imported, for good.',
  answers: { deletedId: shown(ID, { description: 'The id of the game that is gone.' }) },
});
