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

/** Where a list goes on: behind the notification with these sort keys. */
export type ListKey = NotificationKey & Pick<NotificationRow, 'createdAt'>;

/** Where a walk through all rows goes on. */
export type WalkKey = NotificationAddress;

/** Some of a user's notifications. */
export type Some =
  | { readonly keys: readonly NotificationKey[] }
  | { readonly gameId: string }
  /** All up to this moment, and those of the moment itself. */
  | { readonly before: Date };

/** What is so old that it goes: created before one of these moments. */
export interface Ages {
  readonly read: Date;
  /** Read or not. */
  readonly any: Date;
}

const FIRST = { userId: NIL, gameId: NIL, type: '' };

@Injectable()
export class NotificationsStore {
  constructor(private readonly prisma: PrismaService) {}

  /** Each takes the place of the one of its kind from its game, and is unread. No two of them have the same key. */
  async upsert(tx: Transaction, notices: readonly Notice[]): Promise<void> {
    await tx.$executeRaw(insertion(notices, Prisma.empty));
  }

  /** The same, and what has had its answer, as parts of the statement that changes the games of `won (id, version)`. */
  besideGames(notices: readonly Notice[], answered: readonly Answered[]): readonly Sql[] {
    const column = (name: keyof NotificationAddress) => answered.map((address) => address[name]);
    return [
      Prisma.sql`noticed AS (${insertion(notices, Prisma.sql`JOIN won w ON w.id = n."gameId"`)})`,
      // Arrays, whose length the planner sees: of rows in JSON it expects so many that it reads the whole table.
      Prisma.sql`answered AS (
        UPDATE notifications n SET read_at = s.at
        FROM unnest(${column('userId')}::uuid[], ${column('gameId')}::uuid[], ${column('type')}::text[],
                    ${answered.map(({ at }) => at)}::timestamptz[]) AS s(user_id, game_id, type, at)
        JOIN won w ON w.id = s.game_id
        WHERE n.user_id = s.user_id AND n.game_id = s.game_id AND n.type = s.type AND n.read_at IS NULL)`,
    ];
  }

  /** Marks those of these that are there and unread. */
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

  /** Deletes those of these that are there and unread. */
  async withdraw(tx: Transaction, addresses: readonly NotificationAddress[]): Promise<void> {
    await tx.$executeRaw`
      DELETE FROM notifications n
      USING ${listed(addresses)}
      WHERE n.user_id = a.user_id AND n.game_id = a.game_id AND n.type = a.type AND n.read_at IS NULL`;
  }

  /** A user's, newest first. */
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

  /** Those at these addresses that are there, in no order. */
  async at(addresses: readonly NotificationAddress[]): Promise<readonly NotificationRow[]> {
    return this.prisma.db.$queryRaw<NotificationRow[]>`
      SELECT n.user_id::text AS "userId", n.game_id::text AS "gameId", n.type, n.data, n.created_at AS "createdAt",
             n.read_at AS "readAt"
      FROM ${listed(addresses)}
      JOIN notifications n ON n.user_id = a.user_id AND n.game_id = a.game_id AND n.type = a.type`;
  }

  /** How many a user has not read, counted up to `most`. */
  countUnread(userId: string, most: number): Promise<number> {
    return this.prisma.db.notification.count({ where: { userId, readAt: null }, take: most });
  }

  /**
   * Marks a user's unread ones among these; how many they were. One that is being written at this moment is answered
   * or news: it is left, and so nobody waits here for whoever may wait for this.
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
   * Deletes what is old among the next `limit` rows behind a key, null being the start; the last key of these, or null
   * when there were none. A row that somebody holds is left for the next time.
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

/** These as rows `a`. By arrays, whose lengths the planner sees: of a few it makes no walk through the table. */
function listed(addresses: readonly NotificationAddress[]): Prisma.Sql {
  const column = (name: keyof NotificationAddress) => addresses.map((address) => address[name]);
  return Prisma.sql`unnest(${column('userId')}::uuid[], ${column('gameId')}::uuid[], ${column('type')}::text[])
    AS a(user_id, game_id, type)`;
}

/** Inserts these, or those of them that `only` leaves. In the order of keys: two at once wait for each other, never in a circle. */
const insertion = (notices: readonly Notice[], only: Prisma.Sql): Prisma.Sql => Prisma.sql`
  INSERT INTO notifications (user_id, game_id, type, data, created_at)
  SELECT n."userId", n."gameId", n.type, n.data, n.at
  FROM jsonb_to_recordset(${JSON.stringify(notices)}::jsonb) AS n(
    "userId" uuid, "gameId" uuid, type text, data jsonb, at timestamptz) ${only}
  ORDER BY n."userId", n."gameId", n.type
  ON CONFLICT (user_id, game_id, type) DO UPDATE
    SET data = excluded.data, created_at = excluded.created_at, read_at = NULL`;

/** Older, or as old and behind in the order of what follows. */
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
