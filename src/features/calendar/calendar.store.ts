import { Injectable } from '@nestjs/common';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import type { VacationRow } from './vacation.row.js';

@Injectable()
export class CalendarStore {
  constructor(private readonly prisma: PrismaService) {}

  /** The vacations of these users that overlap a period, except those called off. */
  during(
    userIds: readonly string[],
    from: Date,
    until: Date,
    tx: Transaction = this.prisma.db,
  ): Promise<readonly VacationRow[]> {
    return tx.vacation.findMany({
      where: {
        userId: { in: [...userIds] },
        startsAt: { lte: until },
        endsAt: { gt: from },
        days: { gt: 0 },
      },
      orderBy: { startsAt: 'asc' },
    });
  }
}
