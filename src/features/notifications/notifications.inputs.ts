import { ArgsType, ID } from '@nestjs/graphql';
import { flag, id, listOf, moment, optional, text } from '../../platform/fields.js';
import { argsOf, inputOf } from '../../platform/inputs.js';
import { PAGE } from '../../platform/page.inputs.js';
import { NOTIFICATION_ID } from './notifications.model.js';

/** What comes in about notifications. */

@ArgsType()
export class NotificationsArgs extends argsOf({
  unread: optional(flag('Only what is unread.', { error: '$ must be true or false', defaultValue: false })),
  ...PAGE,
}) {}

/** Exactly one of them is given. */
@ArgsType()
export class MarkReadInput extends inputOf({
  ids: optional(
    listOf({ ...text(), type: () => ID }, 'These, up to 100.', {
      rest: { type: String },
      example: [NOTIFICATION_ID],
    }),
  ),
  gameId: optional(id('All from this game.')),
  before: optional(
    moment('All up to this moment: the createdAt of the newest that you have shown.', {
      error: '$ must be a moment, written as 2026-01-31T12:00:00.000Z',
    }),
  ),
}) {}
