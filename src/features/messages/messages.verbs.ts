import { shown } from '../../platform/contract/model.js';
import { verb } from '../../platform/contract/verb.js';
import { Game, GameDocument } from '../games/games.model.js';
import { Message } from './messages.model.js';

/** Messages, notes and mutes. */

const GAME_NOW = 'The game as it is now.';
const GAME = { game: shown(Game, { description: GAME_NOW }) };
const inRest = { game: shown(GameDocument, { description: GAME_NOW }) };

export const SEND_MESSAGE = verb('sendMessage', {
  needs: 'messages:write',
  description: 'Send a message to your opponent, in a game or after it.',
  codes: ['NOT_FOUND', 'NOT_YOUR_GAME', 'FORBIDDEN', 'BLOCKED', 'MUTED', 'ACCOUNT_CLOSED'],
  takesKey: true,
  answers: { message: shown(Message, { description: 'The message as it was sent.' }) },
});

export const SET_NOTE = verb('setNote', {
  needs: 'messages:write',
  description: 'Write your private note on a game, in place of the one before; an empty text deletes it.',
  codes: ['NOT_FOUND', 'NOT_YOUR_GAME'],
  answers: {
    ...GAME,
    note: shown(String, { nullable: true, description: 'Your note as it is now; null if there is none.' }),
  },
  inRest,
});

export const MUTE_OPPONENT = verb('muteOpponent', {
  needs: 'messages:write',
  description: 'Mute your opponent in a game, or accept their messages again.',
  codes: ['NOT_FOUND', 'NOT_YOUR_GAME'],
  answers: {
    ...GAME,
    muted: shown(Boolean, {
      description: 'True if you now refuse the messages of your opponent in this game.',
    }),
  },
  inRest,
});
