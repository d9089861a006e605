import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import { LAST } from '../../platform/events/landmarks.store.js';
import { WHOLE } from '../events/event.row.js';
import type { DeliveryRow, Owner, WebhookRow } from './webhook.row.js';

export interface NewWebhook extends Omit<Owner, 'sessionId'> {
  readonly id: string;
  readonly sessionId: string | null;
  readonly scopes: string;
  readonly url: string;
  readonly types: string;
  readonly secret: Uint8Array<ArrayBuffer>;
  readonly createdAt: Date;
}

export interface WebhookChange {
  readonly url?: string;
  readonly types?: string;
}

/** Which deliveries to repeat: one by its id, or those that were made in a span of time. */
export type Repeated = { readonly id: string } | { readonly from: Date; readonly to: Date };

const ofOwner = ({ userId, applicationId, sessionId }: Owner): Prisma.Sql =>
  applicationId === null
    ? Prisma.sql`user_id = ${userId}::uuid ${sessionId === undefined ? Prisma.empty : Prisma.sql`AND session_id = ${sessionId}::uuid`}`
    : Prisma.sql`application_id = ${applicationId}::uuid`;

/** Whether the token is gone that made the webhook `w`, as an expression. */
export const isCutOff = (now: Date): Prisma.Sql => Prisma.sql`(session_id IS NOT NULL AND NOT EXISTS (
  SELECT FROM sessions s WHERE s.id = w.session_id AND revoked_at IS NULL AND expires_at > ${now}::timestamptz))`;

const END = Prisma.sql`(SELECT coalesce(max(tide), 0) AS tide, coalesce(max(id), 0) AS id FROM (${LAST}) l)`;

/** Webhooks and their deliveries, as their owners see them. */
@Injectable()
export class WebhooksStore {
  constructor(private readonly prisma: PrismaService) {}

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.prisma.transaction(work);
  }

  /** Locks the owner until the end of the transaction; returns how many webhooks they have. */
  async countHeld(tx: Transaction, { userId, applicationId }: Owner): Promise<number> {
    await (applicationId === null
      ? tx.$queryRaw`SELECT FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`
      : tx.$queryRaw`SELECT FROM applications WHERE id = ${applicationId}::uuid FOR NO KEY UPDATE`);
    return tx.webhook.count({ where: { userId, applicationId } });
  }

  /** A webhook that begins with what happens from now on. */
  async insert(tx: Transaction, webhook: NewWebhook): Promise<void> {
    const { id, userId, applicationId, sessionId, scopes, url, types, secret, createdAt } = webhook;
    await this.wakeReader(tx);
    await tx.$executeRaw`
      INSERT INTO webhooks (id, user_id, application_id, session_id, scopes, url, types, secret, created_at, due_at,
        place_tide, place_id, place_part, last_tide, last_id)
      SELECT ${id}::uuid, ${userId}::uuid, ${applicationId}::uuid, ${sessionId}::uuid, ${scopes}, ${url}, ${types},
        ${secret}, ${createdAt}::timestamptz, ${createdAt}::timestamptz, tide, id, ${WHOLE}::bigint, tide, id
      FROM ${END} last`;
  }

  /** All of them: their number is limited when they are made. */
  listed(owner: Owner): Promise<readonly WebhookRow[]> {
    return this.prisma.db.webhook.findMany({ where: owner, orderBy: { id: 'desc' } });
  }

  /** A webhook of this owner, locked in a transaction. */
  async hold(tx: Transaction, owner: Owner, id: string): Promise<boolean> {
    const rows = await tx.$queryRaw<unknown[]>`
      SELECT FROM webhooks WHERE id = ${id}::uuid AND ${ofOwner(owner)} FOR UPDATE`;
    return rows.length > 0;
  }

  one(owner: Owner, id: string, tx: Transaction = this.prisma.db): Promise<WebhookRow | null> {
    return tx.webhook.findFirst({ where: { ...owner, id } });
  }

  /** A new address is tried at once; who sends to the old one stops. */
  async update(tx: Transaction, id: string, { url, types }: WebhookChange, now: Date): Promise<void> {
    const anew = { pool: 1, tries: 0, failingSince: null, dueAt: now, lease: null };
    await tx.webhook.update({
      where: { id },
      data: { ...(types === undefined ? {} : { types }), ...(url === undefined ? {} : { url, ...anew }) },
      select: { id: true },
    });
  }

  async switchOff(tx: Transaction, id: string, now: Date): Promise<void> {
    const data = { offAt: now, offReason: 'switchedOff' };
    await tx.webhook.updateMany({ where: { id, offAt: null }, data });
  }

  /** Whether the personal token that made it has ended. */
  async isCutOff(tx: Transaction, id: string, now: Date): Promise<boolean> {
    const rows = await tx.$queryRaw<unknown[]>`
      SELECT FROM webhooks w WHERE id = ${id}::uuid AND ${isCutOff(now)}`;
    return rows.length > 0;
  }

  /** Goes on where it stopped, or from now on. */
  async switchOn(tx: Transaction, id: string, isFromNow: boolean, now: Date): Promise<void> {
    await this.wakeReader(tx);
    const place = Prisma.sql`place_tide = last.tide, place_id = last.id, place_part = ${WHOLE}::bigint,`;
    await tx.$executeRaw`
      UPDATE webhooks w SET ${isFromNow ? place : Prisma.empty} last_tide = last.tide, last_id = last.id,
        pool = 1, tries = 0, failing_since = NULL, due_at = ${now}::timestamptz, lease = NULL, off_at = NULL, off_reason = NULL
      FROM ${END} last WHERE w.id = ${id}::uuid`;
  }

  async delete(tx: Transaction, id: string): Promise<void> {
    await tx.webhook.delete({ where: { id }, select: { id: true } });
  }

  /** The secret until now signs as well, until then. */
  async replaceSecret(
    tx: Transaction,
    id: string,
    secret: Uint8Array<ArrayBuffer>,
    until: Date,
  ): Promise<void> {
    await tx.$executeRaw`
      UPDATE webhooks SET old_secret = secret, old_secret_until = ${until}::timestamptz, secret = ${secret}
      WHERE id = ${id}::uuid`;
  }

  /** Stores a message that is to be sent beside the events. */
  async ask(tx: Transaction, webhookId: string, message: AskedMessage, now: Date): Promise<void> {
    const data = { ...message, webhookId, createdAt: now, waits: true };
    await tx.webhookDelivery.create({ data, select: { id: true } });
    await this.raise(tx, webhookId, now);
  }

  /** Marks deliveries to be made again, the oldest first, up to a limit; returns how many. */
  async askAgain(
    tx: Transaction,
    webhookId: string,
    which: Repeated,
    limit: number,
    now: Date,
  ): Promise<number> {
    const those =
      'id' in which
        ? Prisma.sql`id = ${which.id}::uuid`
        : Prisma.sql`created_at >= ${which.from}::timestamptz AND created_at <= ${which.to}::timestamptz`;
    const asked = await tx.$executeRaw`
      UPDATE webhook_deliveries SET waits = true WHERE id = ANY (ARRAY(
        SELECT id FROM webhook_deliveries WHERE webhook_id = ${webhookId}::uuid AND ${those} AND NOT waits
        ORDER BY id LIMIT ${limit}::integer))`;
    if (asked > 0) await this.raise(tx, webhookId, now);
    return asked;
  }

  /** The deliveries of a webhook after one of them, the newest first. */
  deliveries(webhookId: string, after: string | null, limit: number): Promise<readonly DeliveryRow[]> {
    return this.prisma.db.webhookDelivery.findMany({
      where: { webhookId, ...(after === null ? {} : { id: { lt: after } }) },
      orderBy: { id: 'desc' },
      take: limit,
    });
  }

  /** While somebody sends for it, it becomes due when they have finished. */
  private async raise(tx: Transaction, id: string, now: Date): Promise<void> {
    await tx.$executeRaw`
      UPDATE webhooks SET asks = asks + 1,
        due_at = CASE WHEN lease IS NULL THEN ${now}::timestamptz ELSE due_at END
      WHERE id = ${id}::uuid`;
  }

  /** While there is no webhook that is on, nobody walks the log: then it goes on at its end. */
  private async wakeReader(tx: Transaction): Promise<void> {
    await tx.$queryRaw`SELECT FROM log_readers WHERE name = 'webhooks' FOR UPDATE`;
    await tx.$executeRaw`
      UPDATE log_readers r SET tide = last.tide, id = last.id FROM ${END} last
      WHERE name = 'webhooks' AND (SELECT id FROM webhooks WHERE off_at IS NULL ORDER BY id LIMIT 1) IS NULL`;
  }
}

type AskedMessage = Pick<DeliveryRow, 'id' | 'messageId' | 'type' | 'body'>;
