import { Injectable } from '@nestjs/common';
import { PrismaService, type Transaction } from './database/prisma.service.js';

/** The position of a reader of the outbox. */
export interface OutboxPosition {
  readonly xid: string;
  readonly id: bigint;
}

/** The topic of an announcement: a game, or a seek of the lobby. */
export type OutboxTopic = 'game' | 'seek';

export interface OutboxRow extends OutboxPosition {
  readonly topic: OutboxTopic;
  /** The id of the game or the seek. */
  readonly gameId: string;
  readonly version: number;
}

const MOST_AT_ONCE = 1000;

@Injectable()
export class OutboxStore {
  constructor(private readonly prisma: PrismaService) {}

  async append(tx: Transaction, gameId: string, version: number, createdAt: Date): Promise<void> {
    await tx.outbox.create({ data: { gameId, version, createdAt } });
  }

  /** Announces that these seeks were opened or closed. */
  async appendSeeks(tx: Transaction, ids: readonly string[], createdAt: Date): Promise<void> {
    const row = (gameId: string) => ({ gameId, version: 0, createdAt, topic: 'seek' });
    if (ids.length > 0) await tx.outbox.createMany({ data: ids.map(row) });
  }

  /** The current end of the outbox. */
  async end(): Promise<OutboxPosition> {
    const rows = await this.prisma.db.$queryRaw<{ xid: string }[]>`
      SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xid`;
    return { xid: rows[0]!.xid, id: 0n };
  }

  /**
   * The rows after a position, in order. Rows from the oldest running transaction on are left for later: numbers are
   * not assigned in the order of commits, and no row may be skipped.
   */
  async after({ xid, id }: OutboxPosition): Promise<readonly OutboxRow[]> {
    return this.prisma.db.$queryRaw<OutboxRow[]>`
      SELECT xid::text AS xid, id, topic, game_id::text AS "gameId", version FROM outbox
      WHERE (xid, id) > (${xid}::text::xid8, ${id}) AND xid < pg_snapshot_xmin(pg_current_snapshot())
      ORDER BY xid, id LIMIT ${MOST_AT_ONCE}`;
  }

  /** Deletes rows that every instance has read long ago. */
  async prune(before: Date): Promise<void> {
    await this.prisma.db.outbox.deleteMany({ where: { createdAt: { lt: before } } });
  }
}
