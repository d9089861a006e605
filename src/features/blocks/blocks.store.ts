import { Injectable } from '@nestjs/common';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';

/** The sort keys of the block after which a list continues. */
export interface BlockKey {
  readonly createdAt: Date;
  readonly blockedId: string;
}

/** Two users. */
export type Pair = readonly [one: string, other: string];

/** Reads and writes blocks. */
interface Block {
  readonly blockerId: string;
  readonly blockedId: string;
}

@Injectable()
export class BlocksStore {
  constructor(private readonly prisma: PrismaService) {}

  /** Does nothing if the block exists, which keeps its time. Runs `hold` first, in the same transaction. */
  insert(
    blockerId: string,
    blockedId: string,
    createdAt: Date,
    hold: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    return this.prisma.transaction(async (tx) => {
      await hold(tx);
      const data = { blockerId, blockedId, createdAt };
      await tx.block.createMany({ data, skipDuplicates: true });
    });
  }

  async delete(blockerId: string, blockedId: string): Promise<void> {
    await this.prisma.db.block.deleteMany({ where: { blockerId, blockedId } });
  }

  /** The pairs among these in which the first blocks the second. */
  among(pairs: readonly Pair[], tx: Transaction = this.prisma.db): Promise<readonly Block[]> {
    const [blockers, blocked] = [pairs.map(([blocker]) => blocker), pairs.map(([, user]) => user)];
    return tx.$queryRaw<Block[]>`
      SELECT b.blocker_id::text AS "blockerId", b.blocked_id::text AS "blockedId"
      FROM unnest(${blockers}::uuid[], ${blocked}::uuid[]) p(blocker_id, blocked_id)
      JOIN blocks b ON b.blocker_id = p.blocker_id AND b.blocked_id = p.blocked_id`;
  }

  /** The blocks of a user, newest first, after the key `after`. */
  made(blockerId: string, after: BlockKey | null, limit: number): Promise<readonly BlockKey[]> {
    const behind =
      after === null
        ? {}
        : {
            createdAt: { lte: after.createdAt },
            OR: [{ createdAt: { lt: after.createdAt } }, { blockedId: { lt: after.blockedId } }],
          };
    return this.prisma.db.block.findMany({
      where: { blockerId, ...behind },
      orderBy: [{ createdAt: 'desc' }, { blockedId: 'desc' }],
      select: { createdAt: true, blockedId: true },
      take: limit,
    });
  }
}
