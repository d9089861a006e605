import { InputType } from '@nestjs/graphql';
import { flag, gameId, longText } from '../../platform/contract/fields.js';
import { inputOf } from '../../platform/contract/inputs.js';

const NOTE = {
  note: longText('The note, up to 2000 characters; newlines are allowed. An empty text deletes the note.', {
    rest: { type: String },
  }),
};
const MUTED = {
  muted: flag('True to refuse the messages of the opponent in this game, false to accept them.', {
    rest: { type: Boolean },
  }),
};

export class SetNoteBody extends inputOf(NOTE) {}

export class MuteOpponentBody extends inputOf(MUTED) {}

@InputType({ description: 'A private note on a game.' })
export class SetNoteInput extends inputOf({ gameId, ...NOTE }) {}

@InputType({ description: 'The choice to mute your opponent in a game.' })
export class MuteOpponentInput extends inputOf({ gameId, ...MUTED }) {}
