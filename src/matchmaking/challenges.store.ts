import { Injectable } from '@nestjs/common';
import { PrismaService, type Transaction } from '../platform/database/prisma.service.js';
import type { ChallengeRow, ChallengeStatus, ChallengeTerms } from './challenge.row.js';

export const BOXES = ['incoming', 'outgoing'] as const;
export type Box = (typeof BOXES)[number];

@Injectable()
export class ChallengesStore {
  constructor(private readonly prisma: PrismaService) {}

  async find(id: string): Promise<ChallengeRow | null> {
    // The columns hold what the types say: they are written by this program alone and checked by the database.
    return (await this.prisma.db.challenge.findUnique({ where: { id } })) as ChallengeRow | null;
  }

  /** Stores a challenge with the commitment that `commit` makes beside it; nothing when that gives null. */
  create(
    terms: ChallengeTerms,
    commit: (tx: Transaction) => Promise<string | null>,
  ): Promise<ChallengeRow | null> {
    return this.prisma.transaction(async (tx) => {
      const commitment = await commit(tx);
      if (commitment === null) return null;
      const { options, timeControl, ...columns } = terms;
      const json = { options: { ...options }, timeControl: { ...timeControl } };
      await tx.challenge.create({ data: { ...columns, ...json, commitment } });
      return { ...terms, commitment };
    });
  }

  /** Closes an open challenge; false when it is not open any more. */
  close(id: string, status: ChallengeStatus, now: Date): Promise<boolean> {
    return this.closeWithin(this.prisma.db, id, status, now);
  }

  /** Closes an open challenge, now taken by this opponent, together with what `open` writes; false when it is not open any more. */
  accept(
    id: string,
    opponentId: string,
    now: Date,
    open: (tx: Transaction) => Promise<void>,
  ): Promise<boolean> {
    return this.prisma.transaction(async (tx) => {
      const closed = await this.closeWithin(tx, id, 'accepted', now, { opponentId });
      if (closed) await open(tx);
      return closed;
    });
  }

  /** The open challenges to or from a user, newest first, behind the one with the id `after`. */
  async open(
    userId: string,
    box: Box,
    now: Date,
    after: string | null,
    limit: number,
  ): Promise<readonly ChallengeRow[]> {
    const rows = await this.prisma.db.challenge.findMany({
      where: {
        ...(box === 'incoming' ? { opponentId: userId } : { creatorId: userId }),
        status: 'open',
        expiresAt: { gt: now },
        ...(after === null ? {} : { id: { lt: after } }),
      },
      orderBy: { id: 'desc' },
      take: limit,
    });
    return rows as unknown as ChallengeRow[];
  }

  /** Marks what has expired. */
  async expire(now: Date): Promise<void> {
    await this.prisma.db.challenge.updateMany({
      where: { status: 'open', expiresAt: { lte: now } },
      data: { status: 'expired', answeredAt: now },
    });
  }

  private async closeWithin(
    tx: Transaction,
    id: string,
    status: ChallengeStatus,
    now: Date,
    more: { readonly opponentId?: string } = {},
  ): Promise<boolean> {
    const { count } = await tx.challenge.updateMany({
      where: { id, status: 'open', expiresAt: { gt: now } },
      data: { status, answeredAt: now, ...more },
    });
    return count === 1;
  }
}
