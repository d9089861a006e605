import { ArgsType } from '@nestjs/graphql';
import { flag, id, longText } from '../../platform/fields.js';
import { inputOf } from '../../platform/inputs.js';

const NOTE = {
  note: longText('Up to 2,000 characters, new lines among them; empty: no note.', { rest: { type: String } }),
};
const MUTED = { muted: flag('Are the messages of the opponent refused?', { rest: { type: Boolean } }) };

/** The two as bodies of REST. */
export class NoteInput extends inputOf(NOTE) {}

export class MuteInput extends inputOf(MUTED) {}

@ArgsType()
export class NoteArgs extends inputOf({ ...NOTE, gameId: id() }) {}

@ArgsType()
export class MuteArgs extends inputOf({ ...MUTED, gameId: id() }) {}
