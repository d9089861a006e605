import { Injectable } from '@nestjs/common';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import type { VacationRow } from '../calendar/vacation.row.js';

/** The key after which a list of all vacations continues. */
export type VacationKey = Pick<VacationRow, 'startsAt' | 'id'>;

const COUNTING = { days: { gt: 0 } } as const;

@Injectable()
export class VacationsStore {
  constructor(private readonly prisma: PrismaService) {}

  find(id: string, tx: Transaction = this.prisma.db): Promise<VacationRow | null> {
    return tx.vacation.findUnique({ where: { id } });
  }

  /** The same, locked until the end of the transaction. */
  async hold(id: string, tx: Transaction): Promise<VacationRow | null> {
    await tx.$executeRaw`SELECT FROM vacations WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
    return this.find(id, tx);
  }

  /** The vacations of a user that start after this, newest first, except those called off. */
  ofUser(userId: string, after: Date, tx: Transaction = this.prisma.db): Promise<readonly VacationRow[]> {
    return tx.vacation.findMany({
      where: { userId, startsAt: { gt: after }, ...COUNTING },
      orderBy: { startsAt: 'desc' },
    });
  }

  /** All vacations of a user, including those called off, by start, after the key `after`. */
  ever(userId: string, after: VacationKey | null, limit: number): Promise<readonly VacationRow[]> {
    const behind =
      after === null
        ? {}
        : {
            startsAt: { gte: after.startsAt },
            OR: [{ startsAt: { gt: after.startsAt } }, { id: { gt: after.id } }],
          };
    return this.prisma.db.vacation.findMany({
      where: { userId, ...behind },
      orderBy: [{ startsAt: 'asc' }, { id: 'asc' }],
      take: limit,
    });
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.prisma.transaction(work);
  }

  async insert(tx: Transaction, data: VacationRow): Promise<void> {
    await tx.vacation.create({ data });
  }

  async end(tx: Transaction, { id, endsAt, days, settled }: VacationRow): Promise<void> {
    await tx.vacation.update({ where: { id }, data: { endsAt, days, settled } });
  }

  /** The users with started vacations for which their games may not be updated. */
  async unsettledUsers(now: Date): Promise<readonly string[]> {
    const rows = await this.prisma.query<{ id: string }[]>`
      SELECT DISTINCT user_id::text AS id FROM vacations WHERE NOT settled AND starts_at <= ${now}`;
    return rows.map(({ id }) => id);
  }

  /** In order of time. */
  unsettled(userId: string, now: Date): Promise<readonly VacationRow[]> {
    return this.prisma.db.vacation.findMany({
      where: { userId, settled: false, startsAt: { lte: now } },
      orderBy: { startsAt: 'asc' },
    });
  }

  /** Marks a vacation as applied to all games, unless it was ended meanwhile. */
  async settle({ id, endsAt }: VacationRow): Promise<void> {
    await this.prisma.db.vacation.updateMany({ where: { id, endsAt }, data: { settled: true } });
  }
}
