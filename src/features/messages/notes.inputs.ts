import { InputType } from '@nestjs/graphql';
import { flag, id, longText } from '../../platform/fields.js';
import { inputOf } from '../../platform/inputs.js';

const NOTE = {
  note: longText('Up to 2,000 characters, new lines among them; empty: no note.', { rest: { type: String } }),
};
const MUTED = { muted: flag('Are the messages of the opponent refused?', { rest: { type: Boolean } }) };

export class SetNoteBody extends inputOf(NOTE) {}

export class MuteOpponentBody extends inputOf(MUTED) {}

@InputType({ description: 'A note for yourself.' })
export class SetNoteInput extends inputOf({ gameId: id(), ...NOTE }) {}

@InputType({ description: 'Whether you hear your opponent in a game.' })
export class MuteOpponentInput extends inputOf({ gameId: id(), ...MUTED }) {}
