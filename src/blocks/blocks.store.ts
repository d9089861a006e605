import { Injectable } from '@nestjs/common';
import { PrismaService } from '../platform/database/prisma.service.js';

/** Where the list of whom somebody blocks goes on: behind the block with these sort keys. */
export interface BlockKey {
  readonly createdAt: Date;
  readonly blockedId: string;
}

@Injectable()
export class BlocksStore {
  constructor(private readonly prisma: PrismaService) {}

  /** Nothing when the block is there already: it keeps its first time. */
  async insert(blockerId: string, blockedId: string, createdAt: Date): Promise<void> {
    await this.prisma.db.block.createMany({
      data: { blockerId, blockedId, createdAt },
      skipDuplicates: true,
    });
  }

  async delete(blockerId: string, blockedId: string): Promise<void> {
    await this.prisma.db.block.deleteMany({ where: { blockerId, blockedId } });
  }

  /** Which of two users block the other one. */
  async blockersOf(one: string, other: string): Promise<readonly string[]> {
    const rows = await this.prisma.db.block.findMany({
      where: {
        OR: [
          { blockerId: one, blockedId: other },
          { blockerId: other, blockedId: one },
        ],
      },
      select: { blockerId: true },
    });
    return rows.map(({ blockerId }) => blockerId);
  }

  /** The blocks that somebody made, newest first, behind the one with the key `after`. */
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
