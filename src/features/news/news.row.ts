import type { NoticeType } from '../notifications/notification.row.js';
import type { NewsChannel, NewsWishes } from './news-kinds.js';

/** What concerns somebody who can be told, as the log has it. */
export interface Candidate extends StoredWishes {
  readonly userId: string;
  /** Where the user can be told. */
  readonly byMail: boolean;
  readonly byPush: boolean;
  /** `turnOver`: it is not their turn, and a browser may show that it is. */
  readonly type: NoticeType | 'turnOver';
  readonly gameId: string;
  readonly at: Date;
  /** Of a turn: whether it has just begun. */
  readonly isNew: boolean;
  readonly ply: number | null;
  readonly deadlineAt: Date | null;
}

/** The row of a user in the same statement; all null without one. */
interface StoredWishes {
  readonly mail: NewsWishes['mail'] | null;
  readonly push: NewsWishes['push'] | null;
  readonly quietFrom: number | null;
  readonly quietUntil: number | null;
  readonly digestHour: number | null;
  readonly timeZone: string | null;
  readonly reminders: readonly number[] | null;
}

/** What is to be told; of a reminder `before` is how many seconds before the deadline, and `at` the deadline. */
export interface NewsItem {
  readonly userId: string;
  readonly channel: NewsChannel;
  readonly gameId: string;
  readonly type: NoticeType;
  readonly before: number;
  readonly at: Date;
  readonly ply: number | null;
  readonly began: Date | null;
  readonly dueAt: Date;
}

/** What a mail or a push is to tell of, as it was posted. */
export interface PostedItem {
  readonly gameId: string;
  readonly type: NoticeType;
  readonly before: number;
  readonly ply: number | null;
  /** In milliseconds since 1970, as JSON carries it. */
  readonly at: number;
  /** Of a push: whether the browser shows it already. */
  readonly shown?: true;
}

/** Where a user can be told. */
export interface Reach {
  readonly email: string | null;
  readonly emailOffAt: Date | null;
}

/** A challenge that is still open. */
export interface OpenChallenge {
  readonly id: string;
  readonly creatorId: string;
  readonly ruleset: string;
}
