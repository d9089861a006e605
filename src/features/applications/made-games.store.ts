import { Injectable } from '@nestjs/common';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';

@Injectable()
export class MadeGamesStore {
  constructor(private readonly prisma: PrismaService) {}

  /** The ids of the games with these names. */
  async named(applicationId: string, externalIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.prisma.db.game.findMany({
      where: { applicationId, externalId: { in: [...externalIds] } },
      select: { id: true, externalId: true },
    });
    return new Map(rows.map(({ id, externalId }) => [externalId!, id]));
  }

  /** The game of this name, or what `make` stores in the same transaction. Games of one name are made one by one. */
  once(
    applicationId: string,
    externalId: string,
    make: (tx: Transaction) => Promise<string>,
  ): Promise<string> {
    return this.prisma.transaction(async (tx) => {
      const name = `game ${externalId} of ${applicationId}`;
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
      const there = await tx.game.findFirst({ where: { applicationId, externalId }, select: { id: true } });
      return there?.id ?? make(tx);
    });
  }

  /** The ids of the games, or of those among some, after the id `after`, the one begun first first. */
  async ids(
    applicationId: string,
    among: readonly string[] | null,
    after: string | null,
    limit: number,
  ): Promise<readonly string[]> {
    const id = { ...(among === null ? {} : { in: [...among] }), ...(after === null ? {} : { gt: after }) };
    const rows = await this.prisma.db.game.findMany({
      where: { applicationId, id },
      orderBy: { id: 'asc' },
      select: { id: true },
      take: limit,
    });
    return rows.map(({ id }) => id);
  }

  /** At most `limit`. */
  async countRunning(applicationId: string, limit: number): Promise<number> {
    const [found] = await this.prisma.query<{ games: number }[]>`
      SELECT count(*)::integer AS games FROM (
        SELECT FROM games WHERE application_id = ${applicationId}::uuid AND ended_at IS NULL
        LIMIT ${limit}::integer) counted`;
    return found!.games;
  }
}
