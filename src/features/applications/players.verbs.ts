import { ID } from '@nestjs/graphql';
import { Cost } from '../../platform/contract/cost.js';
import { shown } from '../../platform/contract/model.js';
import { DateTimeScalar } from '../../platform/contract/scalars.js';
import { verb } from '../../platform/contract/verb.js';
import { OwnPlayer } from './players.model.js';

export const OF_AN_APPLICATION = { needs: 'application', by: 'application' } as const;

export const SAVE_PLAYER = verb('savePlayer', {
  ...OF_AN_APPLICATION,
  description:
    'Make a player of your application, or change the display name of one. Sent again, it changes nothing.',
  codes: ['LIMIT_REACHED', 'INVALID_CLIENT'],
  answers: { player: shown(OwnPlayer, { description: 'The player as they are now.' }) },
});

export const SAVE_PLAYERS = verb('savePlayers', {
  ...OF_AN_APPLICATION,
  description:
    'Make or change many players of your application at once. All of them are saved, or none; sent again, it changes nothing.',
  codes: ['LIMIT_REACHED', 'INVALID_CLIENT'],
  answers: {
    players: shown(
      [OwnPlayer],
      { description: 'The players as they are now, in the order of the request.' },
      Cost({ list: 'ofParent' }),
    ),
  },
});

export const CREATE_PLAYER_TOKEN = verb('createPlayerToken', {
  ...OF_AN_APPLICATION,
  description:
    'Make a token with which the browser of a player plays. It cannot be refreshed: your server makes the next one. It ends with the application.',
  codes: ['NOT_FOUND', 'INVALID_CLIENT'],
  answers: {
    token: shown(String, {
      description: 'The token, for `Authorization: Bearer ...` and `<halfmove-game token=...>`.',
    }),
    expiresAt: shown(DateTimeScalar, { description: 'The time until which it is valid.' }),
    playerId: shown(ID, { description: 'The id of the player, as in games.' }),
  },
});

export const ERASE_PLAYER = verb('erasePlayer', {
  ...OF_AN_APPLICATION,
  description:
    'Erase a player of your application, as an account is closed: the name goes, tokens end, running games are resigned, or aborted before ply 2. Games and their records stay.',
  codes: ['NOT_FOUND'],
  answers: { erasedId: shown(ID, { description: 'The id that the player had.' }) },
});
