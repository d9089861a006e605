import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import { isLogged, walk } from '../../platform/events/log-walk.store.js';
import { isCutOff } from './webhooks.store.js';
import type { DeliveryRow, Outcome, Taken, Tried } from './webhook.row.js';

/** What there is to do. */
export interface Due {
  /** Events that are not handed out to webhooks yet. */
  readonly logged: boolean;
  /** In each pool a webhook that is due. */
  readonly first: boolean;
  readonly second: boolean;
  readonly third: boolean;
}

/** The words of the index. */
const HAS_SOMETHING = Prisma.sql`(asks > asks_met OR (place_tide, place_id) < (last_tide, last_id))`;
const inPool = (pool: number) => Prisma.sql`off_at IS NULL AND ${HAS_SOMETHING} AND pool = ${pool}::smallint`;
/** Whether one is due, by the index alone. */
const isDue = (pool: number, now: Date) => Prisma.sql`coalesce(
  (SELECT due_at FROM webhooks WHERE ${inPool(pool)} ORDER BY due_at LIMIT 1) <= ${now}::timestamptz, false)`;
/** Whether there is one that is on, in the same way. */
const IS_ANY = Prisma.sql`(SELECT id FROM webhooks WHERE off_at IS NULL ORDER BY id LIMIT 1) IS NOT NULL`;

const COLUMNS = Prisma.sql`
  w.id::text AS id, w.user_id::text AS "userId", w.application_id::text AS "applicationId", scopes, w.url, types, secret,
  old_secret AS "oldSecret", old_secret_until AS "oldSecretUntil", w.created_at AS "createdAt", due_at AS "dueAt",
  tries, failing_since AS "failingSince", off_at AS "offAt", off_reason AS "offReason"`;

interface Taking {
  readonly pool: number;
  readonly limit: number;
  /** Owners, by their ids. */
  readonly without: readonly string[];
}

/** The rows of webhooks, for whoever sends for them. */
@Injectable()
export class DispatchStore {
  constructor(private readonly prisma: PrismaService) {}

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.prisma.transaction(work);
  }

  /** Asked again and again, and so without writing. While there are no webhooks, the log is not walked. */
  async due(now: Date): Promise<Due> {
    const [due] = await this.prisma.query<[Due]>`
      SELECT ${IS_ANY} AND ${isLogged('webhooks')} AS logged,
        ${isDue(0, now)} AS first, ${isDue(1, now)} AS second, ${isDue(2, now)} AS third`;
    return due;
  }

  /** Tells the webhooks of those whom the next rows of the log concern; returns how many rows there were. */
  async handOut(limit: number): Promise<number> {
    const [{ walked }] = await this.prisma.query<[{ walked: number }]>`
      WITH ${walk('webhooks', limit)}, concerned AS MATERIALIZED (
        SELECT DISTINCT ON (owner) owner, tide, next.id
        FROM next CROSS JOIN LATERAL (VALUES (user_id), (other_id), (application_id)) AS of(owner)
        WHERE owner IS NOT NULL AND steps IS DISTINCT FROM 0
        ORDER BY owner, tide DESC, next.id DESC
      ), told AS MATERIALIZED (
        SELECT hook.id, c.tide, c.id AS event FROM concerned c CROSS JOIN LATERAL (
          (SELECT id FROM webhooks WHERE user_id = c.owner AND off_at IS NULL OFFSET 0)
          UNION ALL (SELECT id FROM webhooks WHERE application_id = c.owner AND off_at IS NULL OFFSET 0)) hook
      ), telling AS (
        UPDATE webhooks w SET last_tide = told.tide, last_id = told.event FROM told WHERE w.id = told.id
      )
      SELECT count(*)::integer AS walked FROM next`;
    return walked;
  }

  /**
   * Takes some webhooks of a pool that are due, those that wait longest, without those of some owners, so that nobody else
   * sends for them until then.
   */
  take({ pool, limit, without }: Taking, now: Date, until: Date): Promise<Taken[]> {
    return this.prisma.query<Taken[]>`
      UPDATE webhooks w SET lease = gen_random_uuid(), due_at = ${until}::timestamptz
      WHERE id = ANY (ARRAY(
        SELECT id FROM webhooks WHERE ${inPool(pool)} AND due_at <= ${now}::timestamptz
          AND coalesce(application_id, user_id) <> ALL (${[...without]}::uuid[])
        ORDER BY due_at LIMIT ${limit}::integer
        FOR UPDATE SKIP LOCKED))
      RETURNING ${COLUMNS}, lease::text AS lease, pool, asks, asks_met AS "asksMet",
        place_tide AS "placeTide", place_id AS "placeId", place_part AS "placePart",
        last_tide AS "lastTide", last_id AS "lastId",
        (SELECT suspended_at IS NOT NULL FROM applications a WHERE a.id = w.application_id) AS "isSuspended",
        NOT coalesce(
          (SELECT deleted_at IS NULL FROM applications a WHERE a.id = w.application_id),
          (SELECT closed_at IS NULL FROM users u WHERE u.id = w.user_id)) AS "isOrphan",
        ${isCutOff(now)} AS "isCutOff"`;
  }

  /** Those of these messages that were taken. */
  async delivered(webhookId: string, messageIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.prisma.query<{ id: string }[]>`
      SELECT message_id AS id FROM webhook_deliveries
      WHERE webhook_id = ${webhookId}::uuid AND message_id = ANY (${[...messageIds]}::text[])
        AND status BETWEEN 200 AND 299`;
    return new Set(rows.map(({ id }) => id));
  }

  /** The deliveries that were asked for, the first one first. */
  asked(webhookId: string, limit: number): Promise<Pick<DeliveryRow, 'messageId' | 'type' | 'body'>[]> {
    return this.prisma.query`
      SELECT message_id AS "messageId", type, body FROM webhook_deliveries
      WHERE webhook_id = ${webhookId}::uuid AND waits ORDER BY id LIMIT ${limit}::integer`;
  }

  /**
   * Notes a try, unless somebody else has taken the webhook over, or it was changed or deleted. Returns whether it is still
   * this lease's, and on.
   */
  async note({ id: webhookId, lease }: Pick<Taken, 'id' | 'lease'>, tried: Tried): Promise<boolean> {
    const { messageId, type, body, triedAt, tookMs, status, failure, answer } = tried;
    const noted = await this.prisma.query<{ isOn: boolean }[]>`
      INSERT INTO webhook_deliveries AS d
        (id, webhook_id, message_id, type, body, created_at, tries, tried_at, took_ms, status, failure, answer)
      SELECT ${uuid()}::uuid, id, ${messageId}, ${type}, ${body}, ${triedAt}::timestamptz, 1, ${triedAt}::timestamptz,
        ${tookMs}::integer, ${status}::integer, ${failure}::text, ${answer}::text
      FROM webhooks WHERE id = ${webhookId}::uuid AND lease = ${lease}::uuid
      ON CONFLICT (webhook_id, message_id) DO UPDATE SET waits = false, tries = d.tries + 1,
        tried_at = excluded.tried_at, took_ms = excluded.took_ms, status = excluded.status, failure = excluded.failure,
        answer = excluded.answer
      RETURNING (SELECT off_at IS NULL FROM webhooks WHERE id = ${webhookId}::uuid) AS "isOn"`;
    return noted[0]?.isOn ?? false;
  }

  /** Ends a lease, unless somebody else has taken it over; returns whether it did. */
  async finish(
    { id, lease }: Pick<Taken, 'id' | 'lease'>,
    outcome: Outcome,
    now: Date,
    tx: Transaction,
  ): Promise<boolean> {
    const { placeTide, placeId, placePart, pool, dueAt, tries, failingSince, offReason, asksMet } = outcome;
    const finished = await tx.$executeRaw`
      UPDATE webhooks SET lease = NULL, place_tide = ${placeTide}::bigint, place_id = ${placeId}::bigint,
        place_part = ${placePart}::bigint, pool = ${pool}::smallint, tries = ${tries}::integer,
        due_at = CASE WHEN asks > ${asksMet}::integer THEN ${now}::timestamptz ELSE ${dueAt}::timestamptz END,
        failing_since = ${failingSince}::timestamptz, asks_met = ${asksMet}::integer,
        off_at = CASE WHEN ${offReason}::text IS NULL THEN off_at ELSE ${now}::timestamptz END,
        off_reason = coalesce(${offReason}::text, off_reason)
      WHERE id = ${id}::uuid AND lease = ${lease}::uuid`;
    return finished > 0;
  }

  /** The persons who are told what becomes of a webhook. */
  async ownersOf({
    userId,
    applicationId,
  }: Pick<Taken, 'userId' | 'applicationId'>): Promise<readonly string[]> {
    if (userId !== null) return [userId];
    const rows = await this.prisma.db.applicationOwner.findMany({
      where: { applicationId: applicationId! },
      select: { userId: true },
    });
    return rows.map((row) => row.userId);
  }

  /** Deletes up to `limit` deliveries that are older than this; returns how many. */
  forget(before: Date, limit: number): Promise<number> {
    return this.prisma.db.$executeRaw`
      DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM webhook_deliveries WHERE created_at < ${before}::timestamptz
        ORDER BY created_at LIMIT ${limit}::integer FOR UPDATE SKIP LOCKED))`;
  }
}
