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
    const noticed = Prisma.sql`noticed AS (${insertion(notices, Prisma.sql`JOIN won w ON w.id = n."gameId"`)})`;
    return [...(notices.length > 0 ? [noticed] : []), ...(answered.length > 0 ? [answering(answered)] : [])];
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
  ofUser(
    userId: string,
    unread: boolean,
    after: ListKey | null,
    limit: number,
  ): Promise<readonly NotificationRow[]> {
    const page = (source: Prisma.Sql) => Prisma.sql`
      (SELECT * FROM ${source}
       WHERE ${unread ? Prisma.sql`read_at IS NULL` : Prisma.sql`true`}
         AND ${after === null ? Prisma.sql`true` : behind(after)}
       ORDER BY created_at DESC, game_id DESC, type DESC LIMIT ${limit})`;
    return this.prisma.query<NotificationRow[]>`
      SELECT ${userId}::text AS "userId", game_id::text AS "gameId", type, data, created_at AS "createdAt",
             read_at AS "readAt"
      FROM (${page(storedOf(userId))} UNION ALL ${page(turnsOf(userId))}) n
      ORDER BY created_at DESC, game_id DESC, type DESC LIMIT ${limit}`;
  }

  /** The existing ones among these, in no order; without those of turns, which no list of changes names. */
  async at(addresses: readonly NotificationAddress[]): Promise<readonly NotificationRow[]> {
    return this.prisma.query<NotificationRow[]>`
      SELECT n.user_id::text AS "userId", n.game_id::text AS "gameId", n.type, n.data, n.created_at AS "createdAt",
             n.read_at AS "readAt"
      FROM ${listed(addresses)}
      JOIN notifications n ON n.user_id = a.user_id AND n.game_id = a.game_id AND n.type = a.type
      WHERE n.type <> 'yourTurn'`;
  }

  /** The number of a user's unread ones, counted up to `most`. */
  async countUnread(userId: string, most: number): Promise<number> {
    const unread = (source: Prisma.Sql) =>
      Prisma.sql`(SELECT 1 FROM ${source} WHERE read_at IS NULL LIMIT ${most})`;
    const [{ count }] = await this.prisma.query<[{ count: number }]>`
      SELECT least(${most}, count(*))::integer AS count
      FROM (${unread(storedOf(userId))} UNION ALL ${unread(turnsOf(userId))}) n`;
    return count;
  }

  /**
   * Marks a user's unread ones among these as read; returns how many they were. Skips locked rows, which are just being
   * answered or replaced, so that it never waits. Of a turn that is read a mark is stored.
   */
  async markRead(userId: string, some: Some, now: Date): Promise<number> {
    const [{ count }] = await this.prisma.query<[{ count: number }]>`
      WITH found AS MATERIALIZED (
        SELECT user_id, game_id, type FROM notifications
        WHERE user_id = ${userId}::uuid AND read_at IS NULL AND ${among(some)}
        ORDER BY user_id, game_id, type
        FOR UPDATE SKIP LOCKED
      ), stored AS (
        UPDATE notifications n SET read_at = ${now}::timestamptz
        FROM found f WHERE n.user_id = f.user_id AND n.game_id = f.game_id AND n.type = f.type
        RETURNING 1
      ), marked AS (
        INSERT INTO notifications (user_id, game_id, type, data, created_at, read_at)
        SELECT ${userId}::uuid, game_id, type, data - 'deadlineAt', created_at, ${now}::timestamptz FROM ${turnsOf(userId)}
        WHERE read_at IS NULL AND ${among(some)} ORDER BY game_id
        ON CONFLICT (user_id, game_id, type) DO UPDATE
          SET data = excluded.data, created_at = excluded.created_at, read_at = excluded.read_at
          WHERE (notifications.data, notifications.created_at) <> (excluded.data, excluded.created_at)
        RETURNING 1
      )
      SELECT ((SELECT count(*) FROM stored) + (SELECT count(*) FROM marked))::integer AS count`;
    return count;
  }

  /**
   * Deletes old rows among the next `limit` after a key (null for the start); returns the last key, or null at the end.
   * Locked rows are left for the next time, and marks of turns until these are over.
   */
  async prune(after: WalkKey | null, { read, any }: Ages, limit: number): Promise<WalkKey | null> {
    const { userId, gameId, type } = after ?? FIRST;
    const old = Prisma.sql`((created_at < ${any}::timestamptz
      OR (created_at < ${read}::timestamptz AND read_at IS NOT NULL)) AND NOT (type = 'yourTurn' AND EXISTS (
        SELECT FROM games g WHERE g.id = game_id AND g.turn_started_at = created_at AND g.ended_at IS NULL)))`;
    const rows = await this.prisma.query<WalkKey[]>`
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

/** Marks these as read if their game is one of `won (id, version)`. */
function answering(answered: readonly Answered[]): Sql {
  const column = (name: keyof NotificationAddress) => answered.map((address) => address[name]);
  // Arrays, because the planner knows their lengths; for rows in JSON it would scan the whole table.
  return Prisma.sql`answered AS (
    UPDATE notifications n SET read_at = s.at
    FROM unnest(${column('userId')}::uuid[], ${column('gameId')}::uuid[], ${column('type')}::text[],
                ${answered.map(({ at }) => at)}::timestamptz[]) AS s(user_id, game_id, type, at)
    JOIN won w ON w.id = s.game_id
    WHERE n.user_id = s.user_id AND n.game_id = s.game_id AND n.type = s.type AND n.read_at IS NULL)`;
}

/** The stored notifications of a user. */
const storedOf = (userId: string): Prisma.Sql => Prisma.sql`(
  SELECT game_id, type, data, created_at, read_at FROM notifications
  WHERE user_id = ${userId}::uuid AND type <> 'yourTurn') stored`;

/** That it is a user's turn, of each of their running games; a stored row of a turn says when it was read. */
const turnsOf = (userId: string): Prisma.Sql => Prisma.sql`(
  SELECT g.id AS game_id, 'yourTurn'::text AS type, jsonb_build_object('ply', g.ply_count + 1,
           'deadlineAt', to_char(g.deadline_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS data,
         g.turn_started_at AS created_at, mark.read_at
  FROM (
    SELECT * FROM games WHERE first_id = ${userId}::uuid AND ended_at IS NULL AND turn = 'first'
    UNION ALL
    SELECT * FROM games WHERE second_id = ${userId}::uuid AND ended_at IS NULL AND turn = 'second'
  ) g
  LEFT JOIN notifications mark ON mark.user_id = ${userId}::uuid AND mark.game_id = g.id AND mark.type = 'yourTurn'
    AND mark.created_at = g.turn_started_at AND mark.data->'ply' = to_jsonb(g.ply_count + 1)) turns`;

/** Older, or equally old and later in the sort order. */
const behind = ({ createdAt, gameId, type }: ListKey): Prisma.Sql => Prisma.sql`
  (created_at, game_id, type) < (${createdAt}::timestamptz, ${gameId}::uuid, ${type}::text)`;

function among(some: Some): Prisma.Sql {
  if ('gameId' in some) return Prisma.sql`game_id = ${some.gameId}::uuid`;
  if ('before' in some) return Prisma.sql`created_at <= ${some.before}::timestamptz`;
  return Prisma.sql`(game_id, type) IN (
    SELECT k."gameId", k.type
    FROM jsonb_to_recordset(${JSON.stringify(some.keys)}::jsonb) AS k("gameId" uuid, type text))`;
}
