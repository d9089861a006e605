import { ArgsType, ID, InputType } from '@nestjs/graphql';
import { flag, id, listOf, moment, optional, text } from '../../platform/fields.js';
import { argsOf, choiceOf } from '../../platform/inputs.js';
import { PAGE } from '../../platform/page.inputs.js';
import { NOTIFICATION_ID } from './notifications.model.js';

/** What comes in about notifications. */

@ArgsType()
export class NotificationsArgs extends argsOf({
  unread: optional(flag('Only what is unread.', { error: '$ must be true or false', defaultValue: false })),
  ...PAGE,
}) {}

@InputType({ isOneOf: true, description: 'Which ones: one of these.' })
export class MarkNotificationsReadInput extends choiceOf({
  ids: listOf({ ...text(), type: () => ID }, 'These, up to 100.', {
    rest: { type: String },
    example: [NOTIFICATION_ID],
  }),
  gameId: id('All from this game.'),
  before: moment('All up to this moment: the createdAt of the newest that you have shown.', {
    error: '$ must be a moment, written as 2026-01-31T12:00:00.000Z',
  }),
}) {}
