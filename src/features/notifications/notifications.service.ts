import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import type { Config } from '../../config.js';
import { Background } from '../../platform/process/background.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { Cursors } from '../../platform/contract/cursors.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { badInput, DomainError } from '../../platform/errors/errors.js';
import { batch } from '../../platform/gathering/batch.js';
import { pageOf, type PageRequest, DEFAULT_PAGE_SIZE } from '../../platform/contract/page.js';
import { shown } from '../../rules/shown.js';
import { DAY_MS, Time } from '../../platform/process/time.js';
import {
  makeNotificationId,
  parseNotificationId,
  type Notice,
  type NotificationAddress,
  type NotificationKey,
  type NotificationRow,
} from './notification.row.js';
import {
  MOST_UNREAD,
  NOTIFICATION_ID,
  type Notification,
  type NotificationConnection,
} from './notifications.model.js';
import { NotificationsStore, type ListKey, type Some, type WalkKey } from './notifications.store.js';

const MOST_IDS = 100;
const YEAR_10000 = new Date(Date.UTC(10_000, 0));
const PRUNED_AT_ONCE = 1000;

type Limits = Pick<Config, 'notificationDays' | 'readNotificationDays' | 'housekeepingSeconds'>;

/** Which ones to mark as read: exactly one of the three is given. */
export interface Selection {
  readonly ids?: readonly string[] | null | undefined;
  readonly gameId?: string | null | undefined;
  readonly before?: Date | null | undefined;
}

interface OwnId {
  readonly userId: string;
  readonly id: string;
}

/** The notifications of users. */
@Injectable()
export class NotificationsService {
  private pruneAt = new Date(0);
  private readonly loader = batch((of: readonly OwnId[]) => this.inOrder(of));

  constructor(
    private readonly store: NotificationsStore,
    private readonly time: Time,
    private readonly cursors: Cursors,
    background: Background,
    @Inject(CONFIG) private readonly config: Limits,
  ) {
    background.every('NotificationSweep', config.housekeepingSeconds * 1000, () => this.pruneDaily());
  }

  /** Stores notifications in the transaction that causes them; of two with the same key the later one stays. */
  async add(tx: Transaction, notices: readonly Notice[]): Promise<void> {
    const byKey = new Map(
      notices.map((notice) => [`${notice.userId}:${makeNotificationId(notice)}`, notice]),
    );
    if (byKey.size > 0) await this.store.upsert(tx, [...byKey.values()]);
  }

  /** Marks as read, in the transaction that answers their subject. */
  async settle(tx: Transaction, answered: readonly NotificationAddress[], at: Date): Promise<void> {
    if (answered.length > 0) await this.store.settle(tx, answered, at);
  }

  /** Deletes unread ones, in the transaction that revokes their subject. */
  async withdraw(tx: Transaction, addresses: readonly NotificationAddress[]): Promise<void> {
    if (addresses.length > 0) await this.store.withdraw(tx, addresses);
  }

  /** The viewer's notifications, newest first. Throws BAD_INPUT, INVALID_CURSOR. */
  async page({ userId }: Principal, unread: boolean, page: PageRequest): Promise<NotificationConnection> {
    const [news, unreadCount] = await Promise.all([
      pageOf(page, {
        cursors: this.cursors.of<ListKey>('notifications', userId, { unread }),
        size: DEFAULT_PAGE_SIZE,
        read: ({ after = null, limit }) => this.store.ofUser(userId, unread, after, limit),
        key: ({ createdAt, gameId, type }: NotificationRow) => ({ createdAt, gameId, type }),
        node: notificationOf,
      }),
      this.store.countUnread(userId, MOST_UNREAD),
    ]);
    return { ...news, unreadCount };
  }

  /** The viewer's notification with this id, or null; batched into one statement. */
  one({ userId }: Principal, id: string): Promise<Notification | null> {
    return this.loader({ userId, id });
  }

  /** Marks the viewer's notifications as read; returns how many were unread. Throws BAD_INPUT. */
  markRead({ userId }: Principal, selection: Selection): Promise<number> {
    return this.store.markRead(userId, someOf(selection), this.time.now());
  }

  /** Deletes those older than NOTIFICATION_DAYS, and read ones older than READ_NOTIFICATION_DAYS, in small steps. */
  async prune(): Promise<void> {
    const now = this.time.now().getTime();
    const daysAgo = (days: number) => new Date(now - days * DAY_MS);
    const { notificationDays, readNotificationDays } = this.config;
    const ages = { read: daysAgo(readNotificationDays), any: daysAgo(notificationDays) };
    let at: WalkKey | null = null;
    do at = await this.store.prune(at, ages, PRUNED_AT_ONCE);
    while (at !== null);
  }

  private async inOrder(of: readonly OwnId[]): Promise<(Notification | null)[]> {
    const addresses = of.flatMap(({ userId, id }) => {
      const key = parseNotificationId(id);
      return key === null ? [] : [{ userId, ...key }];
    });
    const found = await this.store.at(addresses);
    const rows = new Map(found.map((row) => [`${row.userId} ${makeNotificationId(row)}`, row]));
    return of.map(({ userId, id }) => {
      const row = rows.get(`${userId} ${id}`);
      return row === undefined ? null : notificationOf(row);
    });
  }

  /** Checked more often than daily, because a server that restarts every day would never reach a daily timer. */
  private async pruneDaily(): Promise<void> {
    const now = this.time.now();
    if (now < this.pruneAt) return;
    await this.prune();
    this.pruneAt = new Date(now.getTime() + DAY_MS);
  }
}

const notificationOf = (row: NotificationRow): Notification => ({
  id: makeNotificationId(row),
  type: row.type,
  gameId: row.gameId,
  data: row.data,
  createdAt: row.createdAt,
  readAt: row.readAt,
});

function someOf({ ids, gameId, before }: Selection): Some {
  if (ids != null) return { keys: keysOf(ids) };
  return gameId != null ? { gameId } : { before: momentOf(before!) };
}

function keysOf(ids: readonly string[]): readonly NotificationKey[] {
  const keys = ids.map(parseNotificationId).filter((key) => key !== null);
  if (ids.length > MOST_IDS) {
    const message = `ids must have at most ${MOST_IDS} items; got ${ids.length}.`;
    throw new DomainError('BAD_INPUT', message, { field: 'ids', max: MOST_IDS });
  }
  const wrong = ids.find((id) => parseNotificationId(id) === null);
  if (wrong === undefined) return keys;
  throw badInput('ids', `ids must be ids of notifications, such as ${NOTIFICATION_ID}; got ${shown(wrong)}.`);
}

function momentOf(before: Date): Date {
  if (before.getTime() >= 0 && before < YEAR_10000) return before;
  throw badInput('before', `before must be between 1970 and 9999; got ${before.toISOString()}.`);
}
