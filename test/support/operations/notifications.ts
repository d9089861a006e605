import { connection, ANY_PLAYER } from '../documents.js';
import { getEdges, mutation, part, post, query, verb } from '../verb.js';
import type { Edges, User } from '../api-types.js';
import type { Body } from '../transport.js';

/** Notifications, and the inbox of everything that waits for the user's answer. */

interface Notification {
  readonly id: string;
  readonly type: string;
  readonly gameId: string;
  readonly data: Body;
  readonly createdAt: string;
  readonly readAt: string | null;
}

export type Notifications = Edges<Notification> & { readonly unreadCount: number };

export interface InboxItem {
  readonly kind: string;
  readonly at: string;
  readonly gameId: string | null;
  readonly challengeId: string | null;
  readonly from: User;
  readonly expiresAt: string | null;
  readonly ply: number | null;
}

export type Inbox = Edges<InboxItem> & { readonly totalCount: number };

const NOTIFICATION = '{ id type gameId data createdAt readAt }';
const INBOX_ITEM = `{ kind at gameId challengeId from ${ANY_PLAYER} expiresAt ply }`;

export const NOTIFICATIONS = {
  notifications: verb<[page?: Body], Notifications>({
    rest: (page) => getEdges('notifications', page),
    graphql: (page) =>
      query('notifications', { first: 20, ...page }, connection(NOTIFICATION, 'unreadCount')),
  }),
  /** The number of notifications marked. */
  markNotificationsRead: verb<[which: Body], number>({
    rest: (which) => part('marked', post('notifications/read', which)),
    graphql: (which) => part('marked', mutation('markNotificationsRead', which)),
  }),
  inbox: verb<[page?: Body], Inbox>({
    rest: (page) => getEdges('inbox', page),
    graphql: (page) => query('inbox', { first: 20, ...page }, connection(INBOX_ITEM, 'totalCount')),
  }),
};
