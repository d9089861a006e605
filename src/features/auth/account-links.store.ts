import { Injectable } from '@nestjs/common';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';

export type LinkKind = 'verification' | 'recovery' | 'claim';

/** Whose a link is, and where it was sent; null if it was given to somebody who passes it on. */
export interface LinkOf {
  readonly userId: string;
  readonly email: string | null;
}

export interface LinkRow extends LinkOf {
  readonly hash: string;
  readonly kind: LinkKind;
  readonly expiresAt: Date;
}

@Injectable()
export class AccountLinksStore {
  constructor(private readonly prisma: PrismaService) {}

  async add(row: LinkRow): Promise<void> {
    await this.prisma.db.accountLink.create({ data: row, select: { hash: true } });
  }

  /** The same, in place of those of its kind that the user has, unless `assertMay` throws in the same transaction. */
  replace(row: LinkRow, assertMay: (tx: Transaction) => Promise<void>): Promise<void> {
    return this.prisma.transaction(async (tx) => {
      await assertMay(tx);
      await this.revoke(tx, row.userId, row.kind);
      await tx.accountLink.create({ data: row, select: { hash: true } });
    });
  }

  async find(hash: string, kind: LinkKind, now: Date): Promise<LinkOf | null> {
    return this.prisma.db.accountLink.findFirst({
      where: { hash, kind, expiresAt: { gt: now } },
      select: { userId: true, email: true },
    });
  }

  /** Deletes the link; false if it is not there any more. */
  async use(tx: Transaction, hash: string): Promise<boolean> {
    const { count } = await tx.accountLink.deleteMany({ where: { hash } });
    return count === 1;
  }

  async revoke(tx: Transaction, userId: string, kind: LinkKind): Promise<void> {
    await tx.accountLink.deleteMany({ where: { userId, kind } });
  }

  /** Deletes the links of a kind of all players of an application. */
  async revokeOfPlayers(tx: Transaction, applicationId: string, kind: LinkKind): Promise<void> {
    await tx.$executeRaw`
      DELETE FROM account_links l USING users u
      WHERE l.kind = ${kind} AND u.id = l.user_id AND u.application_id = ${applicationId}::uuid`;
  }

  /** Deletes the links of a user, and forgets the address that waits for one. */
  async revokeAll(tx: Transaction, userId: string): Promise<void> {
    await tx.accountLink.deleteMany({ where: { userId } });
    await tx.user.updateMany({
      where: { id: userId, pendingEmail: { not: null } },
      data: { pendingEmail: null },
    });
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.prisma.db.accountLink.deleteMany({ where: { expiresAt: { lte: now } } });
  }
}
