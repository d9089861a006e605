import { Injectable } from '@nestjs/common';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';

/** The addresses of a user. */
export interface Emails {
  /** Verified. */
  readonly email: string | null;
  readonly pendingEmail: string | null;
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
    return this.prisma.db.user.findUniqueOrThrow({
      where: { id },
      select: { email: true, pendingEmail: true },
    });
  }

  /** As emailsOf, and keeps the user from being changed by others until the end of the transaction; null if closed. */
  async hold(tx: Transaction, id: string): Promise<(Emails & { readonly passwordHash: string }) | null> {
    const rows = await tx.$queryRaw<(Emails & { readonly passwordHash: string })[]>`
      SELECT email, pending_email AS "pendingEmail", password_hash AS "passwordHash" FROM users
      WHERE id = ${id}::uuid AND closed_at IS NULL FOR NO KEY UPDATE`;
    return rows[0] ?? null;
  }

  /** Does `work` in one transaction with the user held, whose addresses it gets; null if the account is closed. */
  changing(id: string, work: (tx: Transaction, now: Emails | null) => Promise<void>): Promise<void> {
    return this.prisma.transaction(async (tx) => work(tx, await this.hold(tx, id)));
  }

  async change(tx: Transaction, id: string, emails: Partial<Emails>): Promise<void> {
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
