import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService, type Sql, type Transaction } from '../../platform/database/prisma.service.js';
import type {
  Answered,
  Notice,
  NotificationAddress,
  NotificationKey,
  NotificationRow,
} from './notification.row.js';

/** The sort keys of the notification after which a list continues. */
export type ListKey = NotificationKey & Pick<NotificationRow, 'createdAt'>;

/** The key after which a scan of all rows continues. */
export type WalkKey = NotificationAddress;

/** A selection of a user's notifications. */
export type Some =
  | { readonly keys: readonly NotificationKey[] }
  | { readonly gameId: string }
  /** All up to this moment, inclusive. */
  | { readonly before: Date };

/** Notifications created before these moments are deleted. */
export interface Ages {
  readonly read: Date;
  /** Whether read or unread. */
  readonly any: Date;
}

const FIRST = { userId: NIL, gameId: NIL, type: '' };

@Injectable()
export class NotificationsStore {
  constructor(private readonly prisma: PrismaService) {}

  /** Each replaces the one with its key and is unread. The keys must differ. */
  async upsert(tx: Transaction, notices: readonly Notice[]): Promise<void> {
    await tx.$executeRaw(insertion(notices, Prisma.empty));
  }

  /**
   * The same, and marks answered ones as read, as parts of the statement that changes the games of `won (id, version)`.
   */
  besideGames(notices: readonly Notice[], answered: readonly Answered[]): readonly Sql[] {
    const column = (name: keyof NotificationAddress) => answered.map((address) => address[name]);
    return [
      Prisma.sql`noticed AS (${insertion(notices, Prisma.sql`JOIN won w ON w.id = n."gameId"`)})`,
      // Arrays, because the planner knows their lengths; for rows in JSON it would scan the whole table.
      Prisma.sql`answered AS (
        UPDATE notifications n SET read_at = s.at
        FROM unnest(${column('userId')}::uuid[], ${column('gameId')}::uuid[], ${column('type')}::text[],
                    ${answered.map(({ at }) => at)}::timestamptz[]) AS s(user_id, game_id, type, at)
        JOIN won w ON w.id = s.game_id
        WHERE n.user_id = s.user_id AND n.game_id = s.game_id AND n.type = s.type AND n.read_at IS NULL)`,
    ];
  }

  /** Marks the unread ones among these as read. */
  async settle(tx: Transaction, answered: readonly NotificationAddress[], at: Date): Promise<void> {
    await tx.$executeRaw`
      WITH settled AS MATERIALIZED (
        SELECT n.user_id, n.game_id, n.type FROM notifications n
        JOIN ${listed(answered)} ON n.user_id = a.user_id AND n.game_id = a.game_id AND n.type = a.type
        WHERE n.read_at IS NULL
        ORDER BY n.user_id, n.game_id, n.type
        FOR UPDATE OF n
      )
      UPDATE notifications n SET read_at = ${at}::timestamptz
      FROM settled s WHERE n.user_id = s.user_id AND n.game_id = s.game_id AND n.type = s.type`;
  }

  /** Deletes the unread ones among these. */
  async withdraw(tx: Transaction, addresses: readonly NotificationAddress[]): Promise<void> {
    await tx.$executeRaw`
      DELETE FROM notifications n
      USING ${listed(addresses)}
      WHERE n.user_id = a.user_id AND n.game_id = a.game_id AND n.type = a.type AND n.read_at IS NULL`;
  }

  /** The notifications of a user, newest first. */
  async ofUser(
    userId: string,
    unread: boolean,
    after: ListKey | null,
    limit: number,
  ): Promise<readonly NotificationRow[]> {
    const rows = await this.prisma.db.notification.findMany({
      where: { userId, ...(unread ? { readAt: null } : {}), ...(after === null ? {} : behind(after)) },
      orderBy: [{ createdAt: 'desc' }, { gameId: 'desc' }, { type: 'desc' }],
      take: limit,
    });
    return rows as unknown as NotificationRow[];
  }

  /** The existing ones among these, in no order. */
  async at(addresses: readonly NotificationAddress[]): Promise<readonly NotificationRow[]> {
    return this.prisma.db.$queryRaw<NotificationRow[]>`
      SELECT n.user_id::text AS "userId", n.game_id::text AS "gameId", n.type, n.data, n.created_at AS "createdAt",
             n.read_at AS "readAt"
      FROM ${listed(addresses)}
      JOIN notifications n ON n.user_id = a.user_id AND n.game_id = a.game_id AND n.type = a.type`;
  }

  /** The number of a user's unread ones, counted up to `most`. */
  countUnread(userId: string, most: number): Promise<number> {
    return this.prisma.db.notification.count({ where: { userId, readAt: null }, take: most });
  }

  /**
   * Marks a user's unread ones among these as read; returns how many they were. Skips locked rows, which are just being
   * answered or replaced, so that it never waits.
   */
  markRead(userId: string, some: Some, now: Date): Promise<number> {
    return this.prisma.db.$executeRaw`
      WITH marked AS MATERIALIZED (
        SELECT user_id, game_id, type FROM notifications
        WHERE user_id = ${userId}::uuid AND read_at IS NULL AND ${among(some)}
        ORDER BY user_id, game_id, type
        FOR UPDATE SKIP LOCKED
      )
      UPDATE notifications n SET read_at = ${now}::timestamptz
      FROM marked m WHERE n.user_id = m.user_id AND n.game_id = m.game_id AND n.type = m.type`;
  }

  /**
   * Deletes old rows among the next `limit` after a key (null for the start); returns the last key, or null at the end.
   * Locked rows are left for the next time.
   */
  async prune(after: WalkKey | null, { read, any }: Ages, limit: number): Promise<WalkKey | null> {
    const { userId, gameId, type } = after ?? FIRST;
    const old = Prisma.sql`(created_at < ${any}::timestamptz
      OR (created_at < ${read}::timestamptz AND read_at IS NOT NULL))`;
    const rows = await this.prisma.db.$queryRaw<WalkKey[]>`
      WITH walked AS MATERIALIZED (
        SELECT ctid, user_id, game_id, type, created_at, read_at FROM notifications
        WHERE (user_id, game_id, type) > (${userId}::uuid, ${gameId}::uuid, ${type}::text)
        ORDER BY user_id, game_id, type
        LIMIT ${limit}
      ), gone AS (
        DELETE FROM notifications WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM notifications
          WHERE ctid = ANY (ARRAY(SELECT ctid FROM walked WHERE ${old})) AND ${old}
          FOR UPDATE SKIP LOCKED))
      )
      SELECT user_id::text AS "userId", game_id::text AS "gameId", type FROM walked
      ORDER BY user_id DESC, game_id DESC, type DESC
      LIMIT 1`;
    return rows[0] ?? null;
  }
}

/** These as rows `a`. With arrays, because the planner knows their lengths and then uses the index. */
function listed(addresses: readonly NotificationAddress[]): Prisma.Sql {
  const column = (name: keyof NotificationAddress) => addresses.map((address) => address[name]);
  return Prisma.sql`unnest(${column('userId')}::uuid[], ${column('gameId')}::uuid[], ${column('type')}::text[])
    AS a(user_id, game_id, type)`;
}

/** Inserts these, filtered by `only`, in the order of keys to avoid deadlocks. */
const insertion = (notices: readonly Notice[], only: Prisma.Sql): Prisma.Sql => Prisma.sql`
  INSERT INTO notifications (user_id, game_id, type, data, created_at)
  SELECT n."userId", n."gameId", n.type, n.data, n.at
  FROM jsonb_to_recordset(${JSON.stringify(notices)}::jsonb) AS n(
    "userId" uuid, "gameId" uuid, type text, data jsonb, at timestamptz) ${only}
  ORDER BY n."userId", n."gameId", n.type
  ON CONFLICT (user_id, game_id, type) DO UPDATE
    SET data = excluded.data, created_at = excluded.created_at, read_at = NULL`;

/** Older, or equally old and later in the sort order. */
const behind = ({ createdAt, gameId, type }: ListKey) => ({
  createdAt: { lte: createdAt },
  OR: [{ createdAt: { lt: createdAt } }, { gameId: { lt: gameId } }, { gameId, type: { lt: type } }],
});

function among(some: Some): Prisma.Sql {
  if ('gameId' in some) return Prisma.sql`game_id = ${some.gameId}::uuid`;
  if ('before' in some) return Prisma.sql`created_at <= ${some.before}::timestamptz`;
  return Prisma.sql`(game_id, type) IN (
    SELECT k."gameId", k.type
    FROM jsonb_to_recordset(${JSON.stringify(some.keys)}::jsonb) AS k("gameId" uuid, type text))`;
}
