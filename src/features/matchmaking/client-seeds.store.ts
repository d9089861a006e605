import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { DomainError } from '../../platform/errors/errors.js';

/** How long a withheld client seed counts against a user. */
const WITHHELD_MS = 7 * 86_400_000;

const SEATS = [
  { own: 'first_id', seat: 'first', seed: 'first_client_seed' },
  { own: 'second_id', seat: 'second', seed: 'second_client_seed' },
] as const;

/** The hashes of all client seeds ever given or announced. */
@Injectable()
export class ClientSeedsStore {
  /** Records the use of a seed. Throws INVALID_SEED if it was used before. */
  async use(
    tx: Transaction,
    hash: string,
    challengeId: string,
    createdAt: Date,
    field: string,
  ): Promise<void> {
    const { count } = await tx.clientSeed.createMany({
      data: [{ hash, challengeId, createdAt }],
      skipDuplicates: true,
    });
    if (count === 1) return;
    const message = `This client seed (SHA-256 ${hash}) was used before. Generate a new one for each game.`;
    throw new DomainError('INVALID_SEED', message, { field });
  }

  /**
   * The time at which fewer than `many` withheld client seeds count against this user; null if that is already so.
   */
  async withheldUntil(tx: Transaction, userId: string, many: number, now: Date): Promise<Date | null> {
    const since = new Date(now.getTime() - WITHHELD_MS);
    const seats = SEATS.map(
      ({ own, seat, seed }) => Prisma.sql`
        SELECT ended_at FROM games g
        WHERE ${Prisma.raw(own)} = ${userId}::uuid AND ended_at > ${since} AND status = 'aborted' AND ply_count = 0
          AND ${Prisma.raw(seed)} IS NULL
          AND CASE creator WHEN ${seat} THEN client_seed_hash ELSE accepter_seed_hash END IS NOT NULL
          AND EXISTS (
            SELECT 1 FROM game_events e
            WHERE e.game_id = g.id AND (e.type = 'flag' OR (e.type = 'abort' AND e.player = ${seat})))`,
    );
    const [row] = await tx.$queryRaw<{ endedAt: Date }[]>`
      SELECT ended_at AS "endedAt" FROM (${Prisma.join(seats, ' UNION ALL ')}) w
      ORDER BY ended_at DESC OFFSET ${many - 1} LIMIT 1`;
    return row === undefined ? null : new Date(row.endedAt.getTime() + WITHHELD_MS);
  }
}
