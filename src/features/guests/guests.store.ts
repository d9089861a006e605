import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';

@Injectable()
export class GuestsStore {
  constructor(private readonly prisma: PrismaService) {}

  /**
   * Guests without a running game, open challenge or seek: who never played and came before `unplayed`, and whose last
   * game ended before `played`.
   */
  async forgettable(unplayed: Date, played: Date, limit: number): Promise<readonly string[]> {
    const rows = await this.prisma.query<{ id: string }[]>`
      SELECT id::text AS id FROM users u WHERE ${isIdle(unplayed, played)} ORDER BY created_at LIMIT ${limit}::integer`;
    return rows.map(({ id }) => id);
  }

  /** Whether a guest still is, in a transaction that keeps them from beginning a game. */
  async isForgettable(tx: Transaction, id: string, unplayed: Date, played: Date): Promise<boolean> {
    const rows = await tx.$queryRaw<unknown[]>`
      SELECT FROM users u WHERE id = ${id}::uuid AND ${isIdle(unplayed, played)}`;
    return rows.length > 0;
  }
}

const isIdle = (unplayed: Date, played: Date): Prisma.Sql => Prisma.sql`
  kind = 'guest' AND closed_at IS NULL AND created_at < ${unplayed}::timestamptz
  AND NOT EXISTS (SELECT FROM games g WHERE g.first_id = u.id AND (g.ended_at IS NULL OR g.ended_at >= ${played}::timestamptz))
  AND NOT EXISTS (SELECT FROM games g WHERE g.second_id = u.id AND (g.ended_at IS NULL OR g.ended_at >= ${played}::timestamptz))
  AND NOT EXISTS (SELECT FROM challenges c WHERE c.creator_id = u.id AND c.status = 'open')`;
