import { ID, Int, ObjectType } from '@nestjs/graphql';
import { connectionOf } from '../../platform/connection.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { listed } from '../../platform/listed.js';
import { enumOf, model, shown, shownJson } from '../../platform/model.js';
import { NOTICE_TYPES } from './notification.row.js';

/** What leaves about notifications. */

export const MOST_UNREAD = 1000;

/** An id as the list shows it. */
export const NOTIFICATION_ID = '018f3c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f:yourTurn';

export const NotificationTypeEnum = enumOf(NOTICE_TYPES, {
  name: 'NotificationType',
  description: 'What there is to know.',
});

@ObjectType({
  description: 'News from a game: the newest of its kind, which takes the place of the one before.',
})
export class Notification extends model({
  id: shown(ID, {
    description: 'The same for all of its kind from its game.',
    rest: { type: String },
    example: NOTIFICATION_ID,
  }),
  type: shown(NotificationTypeEnum),
  gameId: shown(ID, { description: 'The game, or the challenge that has the id of its game.' }),
  data: shownJson<Readonly<Record<string, unknown>>>({ description: 'More about it, by its type.' }),
  createdAt: shown(DateTimeScalar),
  readAt: shown(DateTimeScalar, { nullable: true, description: 'Null: unread.' }),
}) {}

@ObjectType({ description: 'A page of notifications (Relay).' })
export class NotificationConnection extends model({
  ...connectionOf(Notification, 'A notification in a page.'),
  unreadCount: shown(Int, {
    description: `How many are unread, on this page or not; counted up to ${MOST_UNREAD}, which means that or more.`,
  }),
}) {}

/** The same in REST. */
export class NotificationPage extends model({
  ...listed(Notification),
  unreadCount: NotificationConnection.fields.unreadCount,
}) {}
