import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService, type Sql, type Transaction } from '../../platform/database/prisma.service.js';
import type { PostedItem } from './news.row.js';

/** A browser to which a user wants to be told, as it gave itself. */
export interface NewSubscription {
  readonly id: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly createdAt: Date;
}

export interface SubscriptionRow extends Pick<
  NewSubscription,
  'id' | 'sessionId' | 'endpoint' | 'createdAt'
> {
  /** Of its session, in words. */
  readonly device: string;
}

/** Who sends: 0 to those that took the last message at once, 1 to new and slow ones, 2 to those that fail. */
export type Pool = 0 | 1 | 2;

/** A push that is being sent, perhaps not for the first time. */
export interface PushRow extends Pick<
  NewSubscription,
  'userId' | 'endpoint' | 'p256dh' | 'auth' | 'createdAt'
> {
  readonly subscriptionId: string;
  readonly tag: string;
  readonly id: string;
  readonly items: readonly PostedItem[];
  readonly pool: Pool;
  /** Whether the browser shows that it is the user's turn, which is among the items then. */
  readonly isShown: boolean;
  /** Whether the session that it belongs to is open. */
  readonly isLive: boolean;
  /** Since when its address fails. */
  readonly failingSince: Date | null;
}

/** The tag of what is told of several games at once. */
export const SEVERAL = 'news';

/** What to take. */
interface Taking {
  readonly pool: Pool;
  readonly limit: number;
  /** With those that are being sent. */
  readonly mostOfAUser: number;
  /** How many are being sent, by the ids of users. */
  readonly busyFor: ReadonlyMap<string, number>;
  /** The ids of users. */
  readonly without: readonly string[];
}

/** So many that wait longest are looked at, to choose from. */
const LOOKED_AT = 500;

@Injectable()
export class PushStore {
  constructor(private readonly prisma: PrismaService) {}

  /** Of open sessions, the one made last first. */
  subscriptionsOf(userId: string, now: Date): Promise<SubscriptionRow[]> {
    return this.prisma.query<SubscriptionRow[]>`
      SELECT p.id::text AS id, p.session_id::text AS "sessionId", p.endpoint, p.created_at AS "createdAt", s.device
      FROM push_subscriptions p CROSS JOIN LATERAL (
        SELECT device FROM sessions WHERE id = p.session_id AND ${isOpen(now)} OFFSET 0) s
      WHERE p.user_id = ${userId}::uuid ORDER BY p.id DESC`;
  }

  /**
   * Saves a subscription of a user; one with the same address keeps its id, if it was the user's. Null if the user has
   * `most` others in open sessions.
   */
  save(given: NewSubscription, most: number): Promise<SubscriptionRow | null> {
    const { id, userId, sessionId, endpoint, p256dh, auth, createdAt } = given;
    return this.prisma.transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
      // A browser is whose session it has now; and those of ended sessions make room.
      await tx.$executeRaw`
        DELETE FROM push_subscriptions p WHERE endpoint = ${endpoint} AND user_id <> ${userId}::uuid
          OR user_id = ${userId}::uuid AND NOT EXISTS (
            SELECT FROM sessions WHERE id = p.session_id AND ${isOpen(createdAt)})`;
      const others = await tx.pushSubscription.count({ where: { userId, endpoint: { not: endpoint } } });
      if (others >= most) return null;
      const [saved] = await tx.$queryRaw<[SubscriptionRow]>`
        INSERT INTO push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, created_at)
        VALUES (${id}::uuid, ${userId}::uuid, ${sessionId}::uuid, ${endpoint}, ${p256dh}, ${auth}, ${createdAt}::timestamptz)
        ON CONFLICT (endpoint) DO UPDATE SET user_id = excluded.user_id, session_id = excluded.session_id,
          p256dh = excluded.p256dh, auth = excluded.auth, failing_since = NULL
        RETURNING id::text AS id, session_id::text AS "sessionId", endpoint, created_at AS "createdAt",
          (SELECT device FROM sessions WHERE id = session_id) AS device`;
      return saved;
    });
  }

  /** False if the user has none with this id. */
  async delete(userId: string, id: string): Promise<boolean> {
    const { count } = await this.prisma.db.pushSubscription.deleteMany({ where: { id, userId } });
    return count > 0;
  }

  /**
   * The end of a statement that posts a push for each row of `source` ("userId", tag, items) to each browser of the user.
   * One of the same tag that waits, or is on its way, says both; it keeps its place.
   */
  posting(source: Sql, now: Date): Sql {
    return Prisma.sql`
      INSERT INTO pushes (subscription_id, tag, id, items, created_at, pool, due_at)
      SELECT s.id, posted.tag, gen_random_uuid(), posted.items, ${now}::timestamptz, s.pool, ${now}::timestamptz
      FROM (${source}) posted CROSS JOIN LATERAL (
        SELECT id, pool FROM push_subscriptions WHERE user_id = posted."userId" OFFSET 0 ${HELD}) s
      ORDER BY s.id, posted.tag
      ON CONFLICT (subscription_id, tag) DO UPDATE SET id = excluded.id, created_at = excluded.created_at,
        items = pushes.items || excluded.items, due_at = coalesce(pushes.due_at, excluded.due_at)`;
  }

  /** A statement after which browsers that may show that it is the turn of these users are told that it is not. */
  takingBack(over: readonly { readonly userId: string; readonly gameId: string }[]): Sql {
    return Prisma.sql`
      UPDATE pushes p SET id = gen_random_uuid(), due_at = coalesce(p.due_at, p.created_at)
      FROM unnest(${over.map(({ userId }) => userId)}::uuid[], ${over.map(({ gameId }) => gameId)}::text[]) AS o(user_id, game_id)
        CROSS JOIN LATERAL (
          SELECT id FROM push_subscriptions WHERE user_id = o.user_id OFFSET 0 ${HELD}) s
      WHERE p.subscription_id = s.id AND p.tag = o.game_id`;
  }

  /** The pools in which something is due; asked again and again. */
  async duePools(now: Date): Promise<readonly Pool[]> {
    const rows = await this.prisma.query<{ pool: Pool }[]>`
      SELECT pool FROM generate_series(0, 2) AS each (pool) WHERE (
        SELECT due_at FROM pushes WHERE pushes.pool = each.pool AND due_at IS NOT NULL ORDER BY due_at LIMIT 1
      ) <= ${now}::timestamptz`;
    return rows.map(({ pool }) => pool);
  }

  /**
   * Takes some pushes of a pool that are due, at most so many of each user and none of some, those first that wait longest,
   * so that no other process takes them for a while that doubles with each try, from `pauseSeconds` to an hour.
   */
  take(
    { pool, limit, mostOfAUser, busyFor, without }: Taking,
    now: Date,
    pauseSeconds: number,
  ): Promise<PushRow[]> {
    return this.prisma.query<PushRow[]>`
      WITH due AS MATERIALIZED (
        SELECT id, subscription_id, due_at FROM pushes
        WHERE pool = ${pool}::smallint AND due_at <= ${now}::timestamptz AND subscription_id <> ALL (ARRAY(
          SELECT id FROM push_subscriptions WHERE user_id = ANY (${[...without]}::uuid[])))
        ORDER BY due_at LIMIT ${LOOKED_AT}::integer
      ), placed AS (
        SELECT d.id, d.due_at, coalesce(b.many, 0) + row_number() OVER (PARTITION BY s.user_id ORDER BY d.due_at) AS place
        FROM due d CROSS JOIN LATERAL (SELECT user_id FROM push_subscriptions WHERE id = d.subscription_id OFFSET 0) s
          LEFT JOIN unnest(${[...busyFor.keys()]}::uuid[], ${[...busyFor.values()]}::integer[]) AS b (user_id, many)
            ON b.user_id = s.user_id
      ), taken AS (
        UPDATE pushes SET tries = tries + 1,
          due_at = ${now}::timestamptz + least(3600, ${pauseSeconds}::integer * 2 ^ least(tries, 10)) * interval '1 second'
        WHERE id = ANY (ARRAY(
          SELECT id FROM pushes WHERE due_at <= ${now}::timestamptz AND id = ANY (ARRAY(
            SELECT id FROM placed WHERE place <= ${mostOfAUser}::integer ORDER BY due_at LIMIT ${limit}::integer))
          FOR UPDATE SKIP LOCKED))
        RETURNING *
      )
      SELECT t.subscription_id::text AS "subscriptionId", t.tag, t.id::text AS id, t.items, t.created_at AS "createdAt",
        t.pool::integer AS pool, t.is_shown AS "isShown", s.user_id::text AS "userId", s.endpoint, s.p256dh, s.auth,
        s.failing_since AS "failingSince",
        EXISTS (SELECT FROM sessions WHERE id = s.session_id AND ${isOpen(now)}) AS "isLive"
      FROM taken t CROSS JOIN LATERAL (SELECT * FROM push_subscriptions WHERE id = t.subscription_id OFFSET 0) s`;
  }

  /**
   * What was taken is told, or no longer so; what came meanwhile is sent next, together with the turn that is shown, whose
   * place it takes. Without a pool nothing was sent, which says nothing about the address.
   */
  async finish(row: PushRow, pool: Pool | null, shown: readonly PostedItem[], now: Date): Promise<void> {
    const { subscriptionId, tag, id, items } = row;
    await this.prisma.transaction(async (tx) => {
      if (pool !== null) await this.note(tx, row, pool, null);
      await tx.$executeRaw`
        UPDATE pushes SET tries = 0, pool = ${pool ?? row.pool}::smallint, is_shown = ${shown.length > 0},
          due_at = CASE WHEN id = ${id}::uuid THEN NULL ELSE ${now}::timestamptz END,
          items = ${JSON.stringify(shown)}::jsonb || (SELECT coalesce(jsonb_agg(item ORDER BY place), '[]')
            FROM jsonb_array_elements(items) WITH ORDINALITY AS one(item, place) WHERE place > ${items.length}::integer)
        WHERE subscription_id = ${subscriptionId}::uuid AND tag = ${tag}`;
      await tx.push.deleteMany({ where: { subscriptionId, tag, dueAt: null, isShown: false } });
    });
  }

  /** It was not taken: it is sent again when it is due, or at a moment that was asked for. */
  async fail(row: PushRow, again: Date | null, now: Date): Promise<void> {
    const { subscriptionId, tag } = row;
    await this.prisma.transaction(async (tx) => {
      await this.note(tx, row, 2, row.failingSince ?? now);
      await tx.$executeRaw`
        UPDATE pushes SET pool = 2, due_at = coalesce(${again}::timestamptz, due_at)
        WHERE subscription_id = ${subscriptionId}::uuid AND tag = ${tag} AND due_at IS NOT NULL`;
    });
  }

  /** What came meanwhile stays. */
  async drop({ id }: Pick<PushRow, 'id'>): Promise<void> {
    await this.prisma.db.push.deleteMany({ where: { id } });
  }

  /** With all that waits for it. */
  async dropSubscription({ subscriptionId: id }: Pick<PushRow, 'subscriptionId'>): Promise<void> {
    await this.prisma.db.pushSubscription.deleteMany({ where: { id } });
  }

  /** How an address did, if that is new. */
  private async note(tx: Transaction, row: PushRow, pool: Pool, failingSince: Date | null): Promise<void> {
    if (row.pool === pool && (row.failingSince === null) === (failingSince === null)) return;
    await tx.pushSubscription.updateMany({ where: { id: row.subscriptionId }, data: { pool, failingSince } });
  }
}

/** One that is being deleted is told nothing more, and who deletes it waits for nobody who waits for it. */
const HELD = Prisma.sql`FOR KEY SHARE SKIP LOCKED`;

const isOpen = (now: Date): Sql => Prisma.sql`revoked_at IS NULL AND expires_at > ${now}::timestamptz`;
