import { ID, Int, ObjectType } from '@nestjs/graphql';
import { connectionOf } from '../../platform/contract/connection.js';
import { DateTimeScalar } from '../../platform/contract/scalars.js';
import { pageFields } from '../../platform/contract/paginated.js';
import { enumOf, model, shown, shownJson } from '../../platform/contract/model.js';
import { NOTICE_TYPES, type NoticeType } from './notification.row.js';

/** The models of notifications. */

export const MOST_UNREAD = 1000;

/** An example of an id. */
export const NOTIFICATION_ID = '018f3c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f:yourTurn';

const MEANINGS: Readonly<Record<NoticeType, string>> = {
  yourTurn: 'It is your turn, as long as it lasts: ply, deadlineAt.',
  reminder: 'The deadline of your turn is near: deadlineAt.',
  drawOffer: 'The opponent offers a draw.',
  takebackOffer: 'The opponent asks for a takeback: ply, after which play would continue.',
  pauseOffer: 'The opponent offers a pause.',
  timeRequest: 'The opponent asks for more time.',
  offerAnswered: 'The opponent has answered your offer: offer, accepted.',
  timeGiven: 'The opponent has given you time: seconds, deadlineAt.',
  pauseEnding: 'The opponent has given notice to end the pause, or ended it at once: resumesAt.',
  gameStarted: 'Your game has started: awaitingSeed, true if it waits for your client seed.',
  gameOver: 'Your game is over, not by your own act: winner, reason.',
  conditionalPlayed: 'Your conditional move was carried out: ply, move, san; or resigned; or offeredDraw.',
  conditionalDropped:
    'Your conditional moves were dropped: why (unmatched, illegal, yourTurn, takeback), ply, reply.',
  message: 'The opponent has sent you a message.',
  challenge: 'A user has challenged you: challengeId, ruleset, from.',
  challengeAnswered:
    'A challenge of yours was declined: reason; accepted, always false. An accepted challenge becomes a game, which has its own notification.',
  rematch: 'The opponent offers a rematch: challengeId, ruleset, from, rematchOf.',
};

export const NotificationTypeEnum = enumOf(NOTICE_TYPES, {
  name: 'NotificationType',
  description: 'The kind of a notification. The words after the colon are the fields of its `data`.',
  values: MEANINGS,
});

@ObjectType({
  description:
    'News for you from a game or challenge. A newer one of the same type from the same game replaces it.',
})
export class Notification extends model({
  id: shown(ID, {
    description:
      'The id: that of the game, a colon and the type, so that it stays the same when a newer one replaces it.',
    rest: { type: String },
    example: NOTIFICATION_ID,
  }),
  type: shown(NotificationTypeEnum, { description: 'The kind of news.' }),
  gameId: shown(ID, {
    description: 'The id of the game or, before it exists, of the challenge, which has the same id.',
  }),
  data: shownJson<Readonly<Record<string, unknown>>>({
    description: 'The details, an object whose fields depend on the type.',
  }),
  createdAt: shown(DateTimeScalar, { description: 'The time of the news.' }),
  readAt: shown(DateTimeScalar, {
    nullable: true,
    description: 'The time when it was marked as read; null if unread.',
  }),
}) {}

@ObjectType({ description: 'A page of your notifications, newest first.' })
export class NotificationConnection extends model({
  ...connectionOf(Notification, 'A notification on a page.'),
  unreadCount: shown(Int, {
    description: `The number of unread notifications on all pages, counted up to ${MOST_UNREAD}.`,
  }),
}) {}

/** The same in REST. */
export class NotificationPage extends model({
  ...pageFields(Notification),
  unreadCount: NotificationConnection.fields.unreadCount,
}) {}
