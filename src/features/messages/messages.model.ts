import { ID, ObjectType } from '@nestjs/graphql';
import { MAX_PAGE_SIZE } from '../../platform/contract/page.js';
import { connectionOf } from '../../platform/contract/connection.js';
import { DateTimeScalar } from '../../platform/contract/scalars.js';
import { pageFields, pageFieldsBothWays } from '../../platform/contract/paginated.js';
import { model, shown } from '../../platform/contract/model.js';
import { SeatEnum } from '../games/enums.model.js';

const MESSAGE = {
  id: shown(ID, { description: 'The id of the message.' }),
  player: shown(SeatEnum, { description: 'The seat of its author.' }),
  text: shown(String, {
    description: 'The text, 1 to 500 characters; may hold newlines.',
    example: 'Good game!',
  }),
  createdAt: shown(DateTimeScalar, { description: 'The time when it was sent.' }),
};

@ObjectType({ description: 'A message of one player of a game to the other.' })
export class Message extends model(MESSAGE) {}

@ObjectType({ description: 'A message in a game of your application.' })
export class OwnMessage extends model({
  gameId: shown(ID, { description: 'The id of the game.' }),
  ...MESSAGE,
}) {}

@ObjectType({ description: 'A page of the messages in games of your application, oldest first.' })
export class OwnMessageConnection extends model(
  connectionOf(OwnMessage, 'A message on a page.', { page: MAX_PAGE_SIZE }),
) {}

/** The same in REST. */
export class OwnMessagePage extends model(pageFields(OwnMessage)) {}

@ObjectType({ description: 'A page of the messages of a game, oldest first.' })
export class MessageConnection extends model(
  connectionOf(Message, 'A message on a page.', { page: MAX_PAGE_SIZE }),
) {}

export const MESSAGES_ALLOWED =
  'True if you may send your opponent a message now: the application of the game allows messages, your opponent has ' +
  'neither muted nor blocked you, you have not blocked them, and their account is open. Rate limits and scopes are not considered.';

/** The same in REST. */
export class MessagePage extends model({
  ...pageFieldsBothWays(Message),
  messagesAllowed: shown(Boolean, { description: MESSAGES_ALLOWED }),
}) {}
