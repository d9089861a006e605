import { Injectable } from '@nestjs/common';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import type { Player } from '../../rules/ruleset.js';

export interface MessageRow {
  readonly id: string;
  readonly gameId: string;
  readonly player: Player;
  readonly text: string;
  readonly createdAt: Date;
}

export interface MessageRange {
  /** Ids, exclusive. */
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
  /** Counted from the end of the range; the rows still come in order. */
  readonly fromEnd: boolean;
}

@Injectable()
export class MessagesStore {
  constructor(private readonly prisma: PrismaService) {}

  async find(id: string): Promise<MessageRow | null> {
    // The columns hold what the types say: they are written by this program alone and checked by the database.
    return (await this.prisma.db.message.findUnique({ where: { id } })) as MessageRow | null;
  }

  /** Stores a message with what `beside` writes; nothing, and null, when that says false. */
  insert(row: MessageRow, beside: (tx: Transaction) => Promise<boolean>): Promise<MessageRow | null> {
    const { id, gameId, player, text, createdAt } = row;
    return this.prisma.transaction(async (tx) => {
      if (!(await beside(tx))) return null;
      await tx.message.create({ data: { id, gameId, player, text, createdAt } });
      return row;
    });
  }

  /** The messages of a game in order of their ids, which begin with the time. */
  async ofGame(
    gameId: string,
    { after, before, limit, fromEnd }: MessageRange,
  ): Promise<readonly MessageRow[]> {
    const rows = await this.prisma.db.message.findMany({
      where: {
        gameId,
        id: {
          ...(after === undefined ? {} : { gt: after }),
          ...(before === undefined ? {} : { lt: before }),
        },
      },
      orderBy: { id: fromEnd ? 'desc' : 'asc' },
      take: limit,
    });
    return (fromEnd ? rows.reverse() : rows) as MessageRow[];
  }
}
