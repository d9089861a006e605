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

/** News for one user from one game. */
export interface Notice {
  readonly userId: string;
  /** Of the game, or of the challenge that has its id. */
  readonly gameId: string;
  readonly type: NoticeType;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** The newest of its kind from its game. */
export interface NotificationRow extends Omit<Notice, 'at'> {
  readonly createdAt: Date;
  /** Null: unread. */
  readonly readAt: Date | null;
}

/** Which of a user's notifications. */
export type NotificationKey = Pick<Notice, 'gameId' | 'type'>;

/** Which notification of all. */
export type NotificationAddress = Pick<Notice, 'userId' | 'gameId' | 'type'>;

/** A notification that has had its answer. */
export interface Answered extends NotificationAddress {
  readonly at: Date;
}

const isNoticeType = (type: unknown): type is NoticeType =>
  (NOTICE_TYPES as readonly unknown[]).includes(type);

/** The key as clients see it. */
export const makeNotificationId = ({ gameId, type }: NotificationKey): string => `${gameId}:${type}`;

/** Null for a text that names no notification. */
export function parseNotificationId(id: string): NotificationKey | null {
  const [gameId = '', type, ...more] = id.split(':');
  return validate(gameId) && isNoticeType(type) && more.length === 0 ? { gameId, type } : null;
}
