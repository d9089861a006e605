import { ArgsType, ID, InputType } from '@nestjs/graphql';
import { flag, id, listOf, moment, optional, text } from '../../platform/fields.js';
import { argsOf, choiceOf } from '../../platform/inputs.js';
import { PAGE } from '../../platform/page.inputs.js';
import { NOTIFICATION_ID } from './notifications.model.js';

/** What comes in about notifications. */

export const UNREAD = 'True to list unread notifications only; false by default.';

@ArgsType()
export class NotificationsArgs extends argsOf({
  unread: optional(flag(UNREAD, { error: '$ must be true or false', defaultValue: false })),
  ...PAGE,
}) {}

@InputType({ isOneOf: true, description: 'The notifications to mark as read, by exactly one of these.' })
export class MarkNotificationsReadInput extends choiceOf({
  ids: listOf({ ...text(), type: () => ID }, 'The ids of the notifications, up to 100.', {
    rest: { type: String },
    example: [NOTIFICATION_ID],
  }),
  gameId: id('The id of the game whose notifications are meant.'),
  before: moment(
    'The time up to which all notifications are meant, inclusive: the createdAt of the newest one that you have shown.',
    {
      error: '$ must be a moment, written as 2026-01-31T12:00:00.000Z',
    },
  ),
}) {}
