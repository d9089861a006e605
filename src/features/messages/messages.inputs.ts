import { InputType } from '@nestjs/graphql';
import { gameId, idempotencyKey, longText } from '../../platform/contract/fields.js';
import { inputOf } from '../../platform/contract/inputs.js';

const MESSAGE = {
  text: longText('The text, 1 to 500 characters; newlines are allowed.', { example: 'Good game!' }),
};

export class SendMessageBody extends inputOf(MESSAGE) {}

@InputType({ description: 'A message to the opponent in a game.' })
export class SendMessageInput extends inputOf({
  gameId,
  idempotencyKey,
  ...MESSAGE,
}) {}
