import { ArgsType, InputType } from '@nestjs/graphql';
import { gameId, id, idempotencyKey, longText, optional } from '../../platform/contract/fields.js';
import { argsOf, inputOf } from '../../platform/contract/inputs.js';
import { MAX_PAGE_SIZE } from '../../platform/contract/page.js';
import { pageInput } from '../../platform/contract/page.inputs.js';

const MESSAGE = {
  text: longText('The text, 1 to 500 characters; newlines are allowed.', { example: 'Good game!' }),
};

export const OF_ONE_GAME = 'The id of the game whose messages to list; those of all games when left out.';

@ArgsType()
export class OwnMessagesArgs extends argsOf({
  gameId: optional(id(OF_ONE_GAME)),
  ...pageInput(MAX_PAGE_SIZE),
}) {}

export class SendMessageBody extends inputOf(MESSAGE) {}

@InputType({ description: 'A message to the opponent in a game.' })
export class SendMessageInput extends inputOf({
  gameId,
  idempotencyKey,
  ...MESSAGE,
}) {}
