import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService, type Sql, type Transaction } from '../../platform/database/prisma.service.js';

/** A mail that is to be sent. */
export interface MailRow {
  readonly id: string;
  readonly kind: string;
  readonly userId: string | null;
  readonly email: string | null;
  readonly about: object;
  readonly createdAt: Date;
  /** How often it was taken, this time included. */
  readonly tries: number;
}

@Injectable()
export class OutboxStore {
  constructor(private readonly prisma: PrismaService) {}

  async add(
    { kind, userId, email, about, createdAt }: Omit<MailRow, 'id' | 'tries'>,
    tx: Transaction = this.prisma.db,
  ): Promise<void> {
    await tx.$executeRaw`
      INSERT INTO mails (id, kind, user_id, email, about, created_at, due_at)
      VALUES (${uuid()}::uuid, ${kind}, ${userId}::uuid, ${email}, ${JSON.stringify(about)}::jsonb,
        ${createdAt}::timestamptz, ${createdAt}::timestamptz)`;
  }

  /** A mail to the address that a user has now; none if they have none. */
  async addTo(
    userId: string,
    kind: string,
    about: object,
    now: Date,
    tx: Transaction = this.prisma.db,
  ): Promise<void> {
    await tx.$executeRaw`
      INSERT INTO mails (id, kind, user_id, email, about, created_at, due_at)
      SELECT ${uuid()}::uuid, ${kind}, id, email, ${JSON.stringify(about)}::jsonb, ${now}::timestamptz, ${now}::timestamptz
      FROM users WHERE id = ${userId}::uuid AND email IS NOT NULL AND closed_at IS NULL`;
  }

  /** The end of a statement that posts mails of a kind, one for each row of `source`: "userId", email, about. */
  posting(kind: string, source: Sql, now: Date): Sql {
    return Prisma.sql`
      INSERT INTO mails (id, kind, user_id, email, about, created_at, due_at)
      SELECT gen_random_uuid(), ${kind}, "userId", email, about, ${now}::timestamptz, ${now}::timestamptz
      FROM (${source}) posted`;
  }

  /** Whether a mail of these kinds is due; asked again and again, and so without writing, and by the index alone. */
  async isDue(kinds: readonly string[], now: Date): Promise<boolean> {
    const rows = await this.prisma.query<unknown[]>`
      SELECT FROM (
        SELECT due_at FROM mails WHERE kind = ANY(${[...kinds]}::text[]) ORDER BY due_at LIMIT 1
      ) next WHERE due_at <= ${now}::timestamptz`;
    return rows.length > 0;
  }

  /**
   * Takes some mails of these kinds that are due, the one that waits longest first, so that no other process takes them for a while
   * that doubles with each try, from `pauseSeconds` to an hour.
   */
  take(kinds: readonly string[], limit: number, now: Date, pauseSeconds: number): Promise<MailRow[]> {
    return this.prisma.query<MailRow[]>`
      UPDATE mails SET tries = tries + 1,
        due_at = ${now}::timestamptz + least(3600, ${pauseSeconds}::integer * 2 ^ least(tries, 10)) * interval '1 second'
      WHERE id = ANY (ARRAY(
        SELECT id FROM mails WHERE due_at <= ${now}::timestamptz AND kind = ANY(${[...kinds]}::text[])
        ORDER BY due_at LIMIT ${limit}::integer FOR UPDATE SKIP LOCKED))
      RETURNING id::text AS id, kind, user_id::text AS "userId", email, about, created_at AS "createdAt", tries`;
  }

  async remove(id: string): Promise<void> {
    await this.prisma.db.mail.deleteMany({ where: { id } });
  }
}
