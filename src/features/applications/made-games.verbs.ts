import { Cost } from '../../platform/contract/cost.js';
import { shown } from '../../platform/contract/model.js';
import { verb } from '../../platform/contract/verb.js';
import { OwnGame, OwnGameDocument } from './made-games.model.js';
import { OF_AN_APPLICATION } from './players.verbs.js';

const GAMES = { description: 'The games in the order of the request.' };

export const CREATE_GAMES = verb('createGames', {
  ...OF_AN_APPLICATION,
  description:
    'Begin games between players of your application. Each one is stored by itself: if one is refused, those before it in the list are there, and the request can be sent again as it is. The server alone deals, unless one of the players announces a client seed (`clientSeedHash`), for which the game waits.',
  codes: [
    ...(['NOT_FOUND', 'INVALID_RULESET', 'INVALID_OPTIONS', 'INVALID_TIME_CONTROL', 'INVALID_SEED'] as const),
    ...(['LIMIT_REACHED', 'ACCOUNT_CLOSED', 'INVALID_CLIENT'] as const),
  ],
  answers: { games: shown([OwnGame], GAMES, Cost({ list: 'ofParent' })) },
  inRest: { games: shown([OwnGameDocument], GAMES) },
});
