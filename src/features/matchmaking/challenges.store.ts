import { Injectable } from '@nestjs/common';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import { OutboxStore } from '../../platform/outbox.store.js';
import type {
  ChallengeKind,
  ChallengeRow,
  ChallengeStatus,
  ChallengeTerms,
  DeclineReason,
} from './challenge.row.js';

export const BOXES = ['incoming', 'outgoing'] as const;
export type Box = (typeof BOXES)[number];

/** What is known of the end of a challenge beside its status. */
interface Closing {
  readonly opponentId?: string;
  readonly gameId?: string;
  readonly declineReason?: DeclineReason;
}

/** Where a list in the order of time goes on. */
export type ChallengeKey = Pick<ChallengeRow, 'createdAt' | 'id'>;

@Injectable()
export class ChallengesStore {
  constructor(
    private readonly prisma: PrismaService,
    private readonly outbox: OutboxStore,
  ) {}

  async find(id: string, tx: Transaction = this.prisma.db): Promise<ChallengeRow | null> {
    // The columns hold what the types say: they are written by this program alone and checked by the database.
    return (await tx.challenge.findUnique({ where: { id } })) as ChallengeRow | null;
  }

  /** Challenges that exist, in the order of their ids here. */
  async byIds(ids: readonly string[]): Promise<readonly ChallengeRow[]> {
    const found = await this.prisma.db.challenge.findMany({ where: { id: { in: [...ids] } } });
    const rows = new Map((found as unknown as ChallengeRow[]).map((row) => [row.id, row]));
    return ids.map((id) => rows.get(id)!);
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
      if (terms.kind === 'seek') await this.outbox.appendSeeks(tx, [terms.id], terms.createdAt);
      return { ...terms, commitment };
    });
  }

  /** Closes an open challenge with what `tell` writes; false when it is not open any more. */
  close(
    id: string,
    status: ChallengeStatus,
    now: Date,
    more: Closing,
    tell: (tx: Transaction) => Promise<void>,
  ): Promise<boolean> {
    return this.prisma.transaction(async (tx) => {
      const closed = await this.closeWithin(tx, id, status, now, more);
      if (closed) await tell(tx);
      return closed;
    });
  }

  /** Closes an open challenge, now taken by this opponent, with what `open` writes; null when it is not open any more. */
  accept<T>(
    id: string,
    opponentId: string,
    now: Date,
    open: (tx: Transaction) => Promise<T>,
  ): Promise<T | null> {
    return this.prisma.transaction(async (tx) => {
      const closed = await this.closeWithin(tx, id, 'accepted', now, { opponentId, gameId: id });
      return closed ? open(tx) : null;
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

  /**
   * All challenges to or from a user, whatever became of them, behind `after`. The open ones come first: what is
   * answered meanwhile is found twice, not lost.
   */
  async ever(
    userId: string,
    box: Box,
    after: Pick<ChallengeRow, 'status' | 'id'> | null,
    limit: number,
  ): Promise<readonly ChallengeRow[]> {
    const behind =
      after === null
        ? {}
        : {
            status: { lte: after.status },
            OR: [{ status: { lt: after.status } }, { id: { lt: after.id } }],
          };
    const rows = await this.prisma.db.challenge.findMany({
      where: { ...(box === 'incoming' ? { opponentId: userId } : { creatorId: userId }), ...behind },
      // In the order of words open is the last status.
      orderBy: [{ status: 'desc' }, { id: 'desc' }],
      take: limit,
    });
    return rows as unknown as ChallengeRow[];
  }

  /** How many open challenges of these kinds a user has made, to this opponent where one is named; without answers. */
  countMade(
    tx: Transaction,
    creatorId: string,
    kinds: readonly ChallengeKind[],
    now: Date,
    opponentId?: string,
  ): Promise<number> {
    const unasked = { rematchOf: null, counterTo: null };
    const to = opponentId === undefined ? {} : { opponentId };
    return tx.challenge.count({
      where: {
        creatorId,
        status: 'open',
        expiresAt: { gt: now },
        kind: { in: [...kinds] },
        ...unasked,
        ...to,
      },
    });
  }

  /** How many open challenges there are to a user. */
  countIncoming(opponentId: string, now: Date): Promise<number> {
    return this.prisma.db.challenge.count({
      where: { opponentId, status: 'open', expiresAt: { gt: now } },
    });
  }

  /** The open challenges to a user in the order of time, newest first, behind the one with the key `after`. */
  async incoming(
    opponentId: string,
    now: Date,
    after: ChallengeKey | null,
    limit: number,
  ): Promise<readonly ChallengeRow[]> {
    const behind =
      after === null
        ? {}
        : {
            createdAt: { lte: after.createdAt },
            OR: [{ createdAt: { lt: after.createdAt } }, { id: { lt: after.id } }],
          };
    const rows = await this.prisma.db.challenge.findMany({
      where: { opponentId, status: 'open', expiresAt: { gt: now }, ...behind },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: limit,
    });
    return rows as unknown as ChallengeRow[];
  }

  /** All that were ever offered as rematches of these games, whatever became of them. */
  async rematchesOf(
    gameIds: readonly string[],
    tx: Transaction = this.prisma.db,
  ): Promise<readonly ChallengeRow[]> {
    const rows = await tx.challenge.findMany({ where: { rematchOf: { in: [...gameIds] } } });
    return rows as unknown as ChallengeRow[];
  }

  /** The rematches of a game, to which nobody else adds one before this transaction is over. */
  async holdRematches(tx: Transaction, gameId: string): Promise<readonly ChallengeRow[]> {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`rematch of ${gameId}`}, 0))`;
    return this.rematchesOf([gameId], tx);
  }

  /**
   * Marks up to `limit` that have expired, but for those that another instance has in hand, with what `tell` writes;
   * how many they were.
   */
  async expire(
    now: Date,
    limit: number,
    tell: (tx: Transaction, expired: readonly ChallengeRow[]) => Promise<void>,
  ): Promise<number> {
    return this.prisma.transaction(async (tx) => {
      const taken = await tx.$queryRaw<{ id: string }[]>`
        SELECT id::text AS id FROM challenges WHERE status = 'open' AND expires_at <= ${now}
        ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
      if (taken.length === 0) return 0;
      const expired = await tx.challenge.updateManyAndReturn({
        where: { id: { in: taken.map(({ id }) => id) } },
        data: { status: 'expired', answeredAt: now },
      });
      const seeks = expired.filter(({ kind }) => kind === 'seek').map(({ id }) => id);
      await this.outbox.appendSeeks(tx, seeks, now);
      await tell(tx, expired as unknown as ChallengeRow[]);
      return expired.length;
    });
  }

  /** Closes an open challenge; false when it is not open any more. */
  async closeWithin(
    tx: Transaction,
    id: string,
    status: ChallengeStatus,
    now: Date,
    { opponentId, gameId, declineReason }: Closing = {},
  ): Promise<boolean> {
    const more = {
      ...(opponentId === undefined ? {} : { opponentId }),
      ...(gameId === undefined ? {} : { gameId }),
      ...(declineReason === undefined ? {} : { declineReason }),
    };
    const [closed] = await tx.challenge.updateManyAndReturn({
      where: { id, status: 'open', expiresAt: { gt: now } },
      data: { status, answeredAt: now, ...more },
      select: { kind: true },
    });
    if (closed?.kind === 'seek') await this.outbox.appendSeeks(tx, [id], now);
    return closed !== undefined;
  }
}
