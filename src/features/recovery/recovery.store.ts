import { Injectable } from '@nestjs/common';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';

/** The addresses of a user. */
export interface Emails {
  /** Verified. */
  readonly email: string | null;
  readonly pendingEmail: string | null;
}

/** A user who is held. The address that waits counts while the session is open that named it. */
interface Held extends Emails {
  readonly pendingSession: string | null;
  readonly passwordHash: string;
}

/** An account that can be recovered, with where the link goes. */
export interface Recoverable {
  readonly id: string;
  readonly username: string;
  readonly email: string;
}

@Injectable()
export class RecoveryStore {
  constructor(private readonly prisma: PrismaService) {}

  async emailsOf(id: string): Promise<Emails> {
    const rows = await this.prisma.query<Emails[]>`
      SELECT email, CASE WHEN EXISTS (
        SELECT FROM sessions WHERE id = pending_session AND revoked_at IS NULL
      ) THEN pending_email END AS "pendingEmail" FROM users WHERE id = ${id}::uuid`;
    return rows[0]!;
  }

  /** As emailsOf, and keeps the user from being changed by others until the end of the transaction; null if closed. */
  async hold(tx: Transaction, id: string): Promise<Held | null> {
    const rows = await tx.$queryRaw<Held[]>`
      SELECT email, pending_email AS "pendingEmail", pending_session::text AS "pendingSession",
        password_hash AS "passwordHash" FROM users
      WHERE id = ${id}::uuid AND closed_at IS NULL FOR NO KEY UPDATE`;
    return rows[0] ?? null;
  }

  /** Does `work` in one transaction with the user held, whose addresses it gets; null if the account is closed. */
  changing(id: string, work: (tx: Transaction, now: Held | null) => Promise<void>): Promise<void> {
    return this.prisma.transaction(async (tx) => work(tx, await this.hold(tx, id)));
  }

  async change(
    tx: Transaction,
    id: string,
    emails: Partial<Pick<Held, 'email' | 'pendingEmail' | 'pendingSession'> & { readonly emailOffAt: null }>,
  ): Promise<void> {
    await tx.user.updateMany({ where: { id, closedAt: null }, data: emails });
  }

  /** How many open accounts have an address, in any case of its letters. */
  async countOf(tx: Transaction, email: string): Promise<number> {
    const rows = await tx.$queryRaw<{ count: bigint }[]>`
      SELECT count(*) AS count FROM users WHERE email IS NOT NULL AND lower(email) = lower(${email}) AND closed_at IS NULL`;
    return Number(rows[0]!.count);
  }

  /** The accounts that an address or a username stands for and that have an address, in the order of their usernames. */
  recoverable(asked: string, limit: number): Promise<Recoverable[]> {
    return this.prisma.query<Recoverable[]>`
      SELECT id::text AS id, username, email FROM users
      WHERE closed_at IS NULL AND email IS NOT NULL AND (username = ${asked} OR lower(email) = lower(${asked}))
      ORDER BY username LIMIT ${limit}::integer`;
  }
}
