import { InputType } from '@nestjs/graphql';
import { id, longText, optional, text } from '../../platform/fields.js';
import { inputOf } from '../../platform/inputs.js';

const MESSAGE = {
  text: longText('1 to 500 characters, new lines among them.', { example: 'Good game!' }),
};

export class SendMessageBody extends inputOf(MESSAGE) {}

@InputType({ description: 'A message to the opponent in a game.' })
export class SendMessageInput extends inputOf({
  gameId: id(),
  idempotencyKey: optional(text('The same key sent again makes no second message.')),
  ...MESSAGE,
}) {}
