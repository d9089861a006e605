import { ArgsType, ID, InputType } from '@nestjs/graphql';
import { flag, id, listOf, moment, optional, text } from '../../platform/contract/fields.js';
import { argsOf, choiceOf } from '../../platform/contract/inputs.js';
import { pageInput } from '../../platform/contract/page.inputs.js';
import { NOTIFICATION_ID } from './notifications.model.js';

/** The inputs of notifications. */

export const UNREAD = 'True to list unread notifications only; false by default.';

@ArgsType()
export class NotificationsArgs extends argsOf({
  unread: optional(flag(UNREAD, { defaultValue: false })),
  ...pageInput(),
}) {}

@InputType({ isOneOf: true, description: 'The notifications to mark as read, by exactly one of these.' })
export class MarkNotificationsReadInput extends choiceOf({
  ids: listOf({ ...text(), type: () => ID }, 'The ids of the notifications, up to 100.', {
    rest: { type: String },
    example: [NOTIFICATION_ID],
  }),
  gameId: id('The id of the game whose notifications are marked.'),
  before: moment(
    'The time up to which all notifications are marked, inclusive (unlike `before` in lists): the createdAt of the newest ' +
      'one that you have shown.',
  ),
}) {}
