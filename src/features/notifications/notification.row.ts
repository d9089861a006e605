import { validate } from 'uuid';
import { ACT_NOTICES } from '../../arbiter/acts/registry.js';
import { OFFER_WORDS } from '../../arbiter/offers.js';

export const NOTICE_TYPES = [
  'yourTurn',
  'reminder',
  ...Object.values(OFFER_WORDS),
  'offerAnswered',
  ...ACT_NOTICES,
  'gameStarted',
  'gameOver',
  'conditionalPlayed',
  'conditionalDropped',
  'message',
  'challenge',
  'challengeAnswered',
  'rematch',
] as const;
export type NoticeType = (typeof NOTICE_TYPES)[number];

/** The types that are stored. "It is your turn" is the state of a game. */
export type StoredType = Exclude<NoticeType, 'yourTurn'>;

/** A notification for one user from one game, to be stored. */
export interface Notice {
  readonly userId: string;
  /** The id of the game, or of a challenge, which becomes the id of its game. */
  readonly gameId: string;
  readonly type: StoredType;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** A notification, the newest of its type from its game. */
export interface NotificationRow extends Omit<Notice, 'at' | 'type'> {
  readonly type: NoticeType;
  readonly createdAt: Date;
  /** Null while unread. */
  readonly readAt: Date | null;
}

/** Identifies a notification of a user. */
export type NotificationKey = Pick<NotificationRow, 'gameId' | 'type'>;

/** Identifies a notification. */
export type NotificationAddress = Pick<NotificationRow, 'userId' | 'gameId' | 'type'>;

/** A notification whose subject was answered. */
export interface Answered extends NotificationAddress {
  readonly at: Date;
}

const isNoticeType = (type: unknown): type is NoticeType =>
  (NOTICE_TYPES as readonly unknown[]).includes(type);

/** The id that clients see. */
export const makeNotificationId = ({ gameId, type }: NotificationKey): string => `${gameId}:${type}`;

/** Null for a text that is not an id of a notification. */
export function parseNotificationId(id: string): NotificationKey | null {
  const [gameId = '', type, ...more] = id.split(':');
  return validate(gameId) && isNoticeType(type) && more.length === 0 ? { gameId, type } : null;
}
