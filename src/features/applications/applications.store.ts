import { Injectable } from '@nestjs/common';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';

export interface ApplicationRow {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly chat: boolean;
  readonly createdAt: Date;
  readonly suspendedAt: Date | null;
  readonly deletedAt: Date | null;
}

/** An application with what belongs to it. */
export interface WholeApplication extends ApplicationRow {
  /** The ids of its owners. */
  readonly owners: readonly string[];
  readonly secrets: readonly { readonly id: string; readonly createdAt: Date }[];
  readonly players: number;
  readonly runningGames: number;
}

export interface ApplicationChange {
  readonly name?: string;
  readonly url?: string;
  readonly chat?: boolean;
}

const WHOLE = {
  owners: { select: { userId: true }, where: { user: { closedAt: null } }, orderBy: { addedAt: 'asc' } },
  secrets: { select: { id: true, createdAt: true }, orderBy: { id: 'desc' } },
  _count: {
    select: { players: { where: { externalId: { not: null } } }, games: { where: { endedAt: null } } },
  },
} as const;

@Injectable()
export class ApplicationsStore {
  constructor(private readonly prisma: PrismaService) {}

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.prisma.transaction(work);
  }

  /** Locks a person until the end of the transaction, so that what they own is counted one by one. */
  async holdPerson(tx: Transaction, userId: string): Promise<boolean> {
    const rows = await tx.$queryRaw<unknown[]>`
      SELECT FROM users WHERE id = ${userId}::uuid AND kind = 'person' AND closed_at IS NULL FOR NO KEY UPDATE`;
    return rows.length > 0;
  }

  /** Locks an application that is not deleted until the end of the transaction; false if there is none of this owner. */
  async holdOwned(tx: Transaction, id: string, ownerId: string): Promise<boolean> {
    const rows = await tx.$queryRaw<unknown[]>`
      SELECT FROM applications a WHERE id = ${id}::uuid AND deleted_at IS NULL
        AND EXISTS (SELECT FROM application_owners o WHERE o.application_id = a.id AND o.user_id = ${ownerId}::uuid)
      FOR NO KEY UPDATE`;
    return rows.length > 0;
  }

  /** Locks an application that is not deleted until the end of the transaction; false if there is none. */
  async hold(tx: Transaction, id: string): Promise<boolean> {
    const rows = await tx.$queryRaw<unknown[]>`
      SELECT FROM applications WHERE id = ${id}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE`;
    return rows.length > 0;
  }

  countOwned(tx: Transaction, userId: string): Promise<number> {
    return tx.applicationOwner.count({ where: { userId, application: { deletedAt: null } } });
  }

  async insert(
    tx: Transaction,
    row: Pick<ApplicationRow, 'id' | 'name' | 'url' | 'createdAt'>,
  ): Promise<void> {
    await tx.application.create({ data: row, select: { id: true } });
  }

  async update(tx: Transaction, id: string, data: ApplicationChange): Promise<void> {
    await tx.application.update({ where: { id }, data, select: { id: true } });
  }

  async addOwner(tx: Transaction, applicationId: string, userId: string, addedAt: Date): Promise<void> {
    const data = { applicationId, userId, addedAt };
    await tx.applicationOwner.createMany({ data, skipDuplicates: true });
  }

  async removeOwner(tx: Transaction, applicationId: string, userId: string): Promise<void> {
    await tx.applicationOwner.deleteMany({ where: { applicationId, userId } });
  }

  async addSecret(
    tx: Transaction,
    secret: {
      readonly id: string;
      readonly applicationId: string;
      readonly hash: string;
      readonly createdAt: Date;
    },
  ): Promise<void> {
    await tx.applicationSecret.create({ data: secret, select: { id: true } });
  }

  async removeSecret(tx: Transaction, applicationId: string, id: string): Promise<boolean> {
    const { count } = await tx.applicationSecret.deleteMany({ where: { applicationId, id } });
    return count > 0;
  }

  /** Marks it as deleted, without its secrets and webhooks. */
  async delete(tx: Transaction, id: string, deletedAt: Date): Promise<void> {
    await tx.webhook.deleteMany({ where: { applicationId: id } });
    await tx.applicationSecret.deleteMany({ where: { applicationId: id } });
    await tx.application.updateMany({ where: { id, deletedAt: null }, data: { deletedAt } });
  }

  /** Suspends an application, or lets it go on; false if there is none. */
  async suspend(tx: Transaction, id: string, suspendedAt: Date | null): Promise<boolean> {
    const { count } = await tx.application.updateMany({
      where: { id, deletedAt: null },
      data: { suspendedAt },
    });
    return count > 0;
  }

  async hasSecret(tx: Transaction, applicationId: string, hash: string): Promise<boolean> {
    return (await tx.applicationSecret.count({ where: { applicationId, hash } })) > 0;
  }

  async whole(id: string, tx: Transaction = this.prisma.db): Promise<WholeApplication | null> {
    const row = await tx.application.findUnique({ where: { id, deletedAt: null }, include: WHOLE });
    return row && wholeOf(row);
  }

  /** The applications of an owner, the one registered last first. */
  async owned(userId: string, limit: number): Promise<readonly WholeApplication[]> {
    const rows = await this.prisma.db.application.findMany({
      where: { deletedAt: null, owners: { some: { userId } } },
      include: WHOLE,
      orderBy: { id: 'desc' },
      take: limit,
    });
    return rows.map(wholeOf);
  }

  /** Applications whose last owner closed the account before a moment, and which are not suspended yet. */
  async ownerless(before: Date, limit: number): Promise<readonly string[]> {
    const rows = await this.prisma.query<{ id: string }[]>`
      SELECT a.id::text AS id FROM applications a
      WHERE deleted_at IS NULL AND suspended_at IS NULL AND NOT EXISTS (
        SELECT FROM application_owners o JOIN users u ON u.id = o.user_id
        WHERE o.application_id = a.id AND (u.closed_at IS NULL OR u.closed_at > ${before}::timestamptz))
      LIMIT ${limit}::integer`;
    return rows.map(({ id }) => id);
  }

  /** Players of deleted applications that are not erased yet. */
  async orphans(limit: number): Promise<readonly string[]> {
    const rows = await this.prisma.query<{ id: string }[]>`
      SELECT u.id::text AS id FROM applications a JOIN users u ON u.application_id = a.id
      WHERE a.deleted_at IS NOT NULL AND u.external_id IS NOT NULL LIMIT ${limit}::integer`;
    return rows.map(({ id }) => id);
  }
}

const wholeOf = ({
  owners,
  _count: { players, games },
  ...row
}: Omit<WholeApplication, 'owners' | 'players' | 'runningGames'> & {
  readonly owners: readonly { readonly userId: string }[];
  readonly _count: { readonly players: number; readonly games: number };
}): WholeApplication => ({
  ...row,
  owners: owners.map(({ userId }) => userId),
  players,
  runningGames: games,
});
