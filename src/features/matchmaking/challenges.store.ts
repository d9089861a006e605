import { Injectable } from '@nestjs/common';
import type { Prisma } from '../../generated/prisma/client.js';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import {
  type ChallengeKind,
  type ChallengeRow,
  type ChallengeStatus,
  type ChallengeTerms,
  type DeclineReason,
} from './challenge.row.js';
import { withHashes } from './opening-rows.js';

export const BOXES = ['incoming', 'outgoing'] as const;
export type Box = (typeof BOXES)[number];

/** The details of how a challenge was closed, besides its status. */
interface Closing {
  readonly opponentId?: string;
  readonly gameId?: string;
  readonly declineReason?: DeclineReason;
}

/** The sort keys of the challenge after which a list continues. */
export type ChallengeKey = Pick<ChallengeRow, 'createdAt' | 'id'>;

/** The casts are safe: only this program writes the columns, and the database checks them. */
@Injectable()
export class ChallengesStore {
  constructor(private readonly prisma: PrismaService) {}

  async find(id: string, tx: Transaction = this.prisma.db): Promise<ChallengeRow | null> {
    return (await tx.challenge.findUnique({ where: { id } })) as ChallengeRow | null;
  }

  /** Existing challenges, in the order of the given ids. */
  async byIds(ids: readonly string[]): Promise<readonly ChallengeRow[]> {
    const found = await this.many({ where: { id: { in: [...ids] } } });
    const rows = new Map(found.map((row) => [row.id, row]));
    return ids.map((id) => rows.get(id)!);
  }

  /** Stores a challenge with the commitment that `commit` returns; stores nothing if that is null. */
  create(
    terms: ChallengeTerms,
    commit: (tx: Transaction) => Promise<string | null>,
  ): Promise<ChallengeRow | null> {
    return this.prisma.transaction(async (tx) => {
      const commitment = await commit(tx);
      if (commitment === null) return null;
      const row = withHashes({ ...terms, commitment });
      await this.insert(tx, row);
      return row;
    });
  }

  async insert(tx: Transaction, row: ChallengeRow): Promise<void> {
    const json = { options: { ...row.options }, timeControl: { ...row.timeControl } };
    await tx.challenge.create({ data: { ...row, ...json }, select: { id: true } });
  }

  /**
   * Closes an open challenge and calls `beside` in the same transaction; returns its result. Null if the challenge is no
   * longer open or, with `asSeen`, its creator has given a client seed since it was read.
   */
  close<T>(
    { id, headHash }: Pick<ChallengeRow, 'id' | 'headHash'>,
    status: ChallengeStatus,
    now: Date,
    { asSeen = false, ...more }: Closing & { readonly asSeen?: boolean },
    beside: (tx: Transaction) => Promise<T>,
  ): Promise<T | null> {
    return this.prisma.transaction(async (tx) =>
      (await this.closeWithin(tx, id, status, now, more, asSeen ? { headHash } : {})) ? beside(tx) : null,
    );
  }

  /** Stores the creator's client seed and calls `beside` in the same transaction; null if the challenge has changed. */
  giveSeed(
    row: ChallengeRow,
    creatorClientSeed: string,
    now: Date,
    beside: (tx: Transaction) => Promise<void>,
  ): Promise<ChallengeRow | null> {
    const given = withHashes({ ...row, creatorClientSeed, creatorSeedAt: now });
    return this.prisma.transaction(async (tx) => {
      const { count } = await tx.challenge.updateMany({
        where: { id: row.id, ...openAt(now), headHash: row.headHash },
        data: { creatorClientSeed, creatorSeedAt: now, headHash: given.headHash },
      });
      if (count === 0) return null;
      await beside(tx);
      return given;
    });
  }

  /** The open challenges to or from a user, newest first, behind the one with the id `after`. */
  open(
    userId: string,
    box: Box,
    now: Date,
    after: string | null,
    limit: number,
  ): Promise<readonly ChallengeRow[]> {
    return this.many({
      where: { ...inBox(userId, box), ...openAt(now), ...(after === null ? {} : { id: { lt: after } }) },
      orderBy: { id: 'desc' },
      take: limit,
    });
  }

  /**
   * All challenges to or from a user, whatever their status, behind `after`. The open ones come first: one that is
   * answered in between is then found twice rather than missed.
   */
  ofAnyStatus(
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
    return this.many({
      where: { ...inBox(userId, box), ...behind },
      // In alphabetical order `open` is the last status.
      orderBy: [{ status: 'desc' }, { id: 'desc' }],
      take: limit,
    });
  }

  /** The number of open challenges of these kinds by a user, optionally to one opponent; without counter-offers and rematches. */
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
      where: { creatorId, ...openAt(now), kind: { in: [...kinds] }, ...unasked, ...to },
    });
  }

  /** The number of open challenges to a user. */
  countIncoming(opponentId: string, now: Date): Promise<number> {
    return this.prisma.db.challenge.count({ where: { opponentId, ...openAt(now) } });
  }

  /** The open challenges to a user, newest first, behind the key `after`. */
  incoming(
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
    return this.many({
      where: { opponentId, ...openAt(now), ...behind },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: limit,
    });
  }

  /** All rematches of these games, whatever their status. */
  rematchesOf(gameIds: readonly string[], tx?: Transaction): Promise<readonly ChallengeRow[]> {
    return this.many({ where: { rematchOf: { in: [...gameIds] } } }, tx);
  }

  /** The rematches of a game, locked so that no other is added before this transaction ends. */
  async holdRematches(tx: Transaction, gameId: string): Promise<readonly ChallengeRow[]> {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`rematch of ${gameId}`}, 0))`;
    return this.rematchesOf([gameId], tx);
  }

  /**
   * Marks up to `limit` expired challenges that no other instance has locked, and calls `tell` in the same transaction.
   * Returns those that were marked.
   */
  async expire(
    now: Date,
    limit: number,
    tell: (tx: Transaction, expired: readonly ChallengeRow[]) => Promise<void>,
  ): Promise<readonly ChallengeRow[]> {
    return this.prisma.transaction(async (tx) => {
      const taken = await tx.$queryRaw<{ id: string }[]>`
        SELECT id::text AS id FROM challenges WHERE status = 'open' AND expires_at <= ${now}
        ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
      if (taken.length === 0) return [];
      const expired = (await tx.challenge.updateManyAndReturn({
        where: { id: { in: taken.map(({ id }) => id) } },
        data: { status: 'expired', answeredAt: now },
      })) as unknown as ChallengeRow[];
      await tell(tx, expired);
      return expired;
    });
  }

  /** Closes an open challenge; returns false if it is no longer open. */
  async closeWithin(
    tx: Transaction,
    id: string,
    status: ChallengeStatus,
    now: Date,
    more: Closing = {},
    seen: Partial<Pick<ChallengeRow, 'headHash'>> = {},
  ): Promise<boolean> {
    const { count } = await tx.challenge.updateMany({
      where: { id, ...openAt(now), ...seen },
      data: { status, answeredAt: now, ...more },
    });
    return count > 0;
  }

  private async many(
    query: Prisma.ChallengeFindManyArgs,
    tx: Transaction = this.prisma.db,
  ): Promise<readonly ChallengeRow[]> {
    return (await tx.challenge.findMany(query)) as unknown as readonly ChallengeRow[];
  }
}

const inBox = (userId: string, box: Box) =>
  box === 'incoming' ? { opponentId: userId } : { creatorId: userId };

const openAt = (now: Date) => ({ status: 'open', expiresAt: { gt: now } });
