import { shown } from '../../platform/model.js';
import { verb } from '../../platform/verb.js';
import { Game, GameDocument } from '../games/games.model.js';
import { Message } from './messages.model.js';

/** What players write and keep beside a game. */

const GAME = { game: shown(Game) };
const inRest = { game: shown(GameDocument) };

export const SEND_MESSAGE = verb('sendMessage', {
  description: 'Writes to your opponent, in a game or after it.',
  answers: { message: shown(Message) },
});

export const SET_NOTE = verb('setNote', {
  description: 'Puts down a note for yourself; an empty one takes it away.',
  answers: {
    ...GAME,
    note: shown(String, { nullable: true, description: 'Your own; null: there is none.' }),
  },
  inRest,
});

export const MUTE_OPPONENT = verb('muteOpponent', {
  description: 'Refuses the messages of your opponent in a game, or takes them again.',
  answers: {
    ...GAME,
    muted: shown(Boolean, { description: 'Are the messages of your opponent refused?' }),
  },
  inRest,
});
