import { Injectable } from '@nestjs/common';
import { PrismaService, type Transaction } from '../platform/database/prisma.service.js';
import type { Player } from '../rules/ruleset.js';
import { OutboxStore } from '../platform/outbox.store.js';
import { EVENT_TYPES, type EventRow, type GameRow, type PlyRow } from './game.row.js';

/** Where a list of games goes on: behind the game with these sort keys. */
export interface GameKey {
  readonly lastActivityAt: Date;
  readonly id: string;
}

export interface PlyRange {
  /** Sequence numbers, exclusive. */
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
  /** Counted from the end of the range; the rows still come in order. */
  readonly fromEnd: boolean;
}

export interface Overdue {
  readonly id: string;
  readonly deadlineAt: Date;
}

export const LISTS = ['all', 'running', 'ended'] as const;
export type GameList = (typeof LISTS)[number];

@Injectable()
export class GamesStore {
  constructor(
    private readonly prisma: PrismaService,
    private readonly outbox: OutboxStore,
  ) {}

  async find(id: string): Promise<GameRow | null> {
    // The columns hold what the types say: they are written by this program alone and checked by the database.
    return (await this.prisma.db.game.findUnique({ where: { id } })) as GameRow | null;
  }

  async insert(tx: Transaction, row: GameRow, start: EventRow): Promise<void> {
    await tx.game.create({ data: columnsOf(row) });
    await this.insertEvent(tx, start);
    await this.outbox.append(tx, row.id, row.version, row.lastActivityAt);
  }

  /** Writes a started game over the one that waited with this version; false when that is gone. */
  async start(waited: number, row: GameRow, start: EventRow): Promise<boolean> {
    return this.prisma.transaction(async (tx) => {
      const { id, ...data } = columnsOf(row);
      const { count } = await tx.game.updateMany({ where: { id, status: 'pending', version: waited }, data });
      if (count === 0) return false;
      await this.insertEvent(tx, start);
      await this.outbox.append(tx, id, row.version, row.lastActivityAt);
      return true;
    });
  }

  /** The games of a user by last activity, newest first. */
  async ofUser(
    userId: string,
    list: GameList,
    after: GameKey | null,
    limit: number,
  ): Promise<readonly GameRow[]> {
    const ended = list === 'all' ? {} : { endedAt: list === 'running' ? null : { not: null } };
    const behind =
      after === null
        ? {}
        : {
            lastActivityAt: { lte: after.lastActivityAt },
            OR: [{ lastActivityAt: { lt: after.lastActivityAt } }, { id: { lt: after.id } }],
          };
    // One query a seat: each is a walk along its own index, which a single OR would not be.
    const seats = [{ firstId: userId }, { secondId: userId }].map((seat) =>
      this.prisma.db.game.findMany({
        where: { ...seat, ...ended, ...behind },
        orderBy: [{ lastActivityAt: 'desc' }, { id: 'desc' }],
        take: limit,
      }),
    );
    const rows = (await Promise.all(seats)).flat() as unknown as GameRow[];
    return rows.sort(newestFirst).slice(0, limit);
  }

  /** Games whose turn ran out before `now`, the longest overdue first, from this deadline on. */
  async overdue(from: Date, now: Date, limit: number): Promise<readonly Overdue[]> {
    const rows = await this.prisma.db.game.findMany({
      where: { deadlineAt: { gte: from, lt: now } },
      orderBy: { deadlineAt: 'asc' },
      select: { id: true, deadlineAt: true },
      take: limit,
    });
    return rows as Overdue[];
  }

  async plies(gameId: string, { after, before, limit, fromEnd }: PlyRange): Promise<readonly PlyRow[]> {
    const rows = await this.prisma.db.ply.findMany({
      where: {
        gameId,
        seq: {
          ...(after === undefined ? {} : { gt: after }),
          ...(before === undefined ? {} : { lt: before }),
        },
      },
      orderBy: { seq: fromEnd ? 'desc' : 'asc' },
      take: limit,
    });
    return (fromEnd ? rows.reverse() : rows) as unknown as PlyRow[];
  }

  /** Who played the ply of this number. */
  async playerOf(gameId: string, ply: number): Promise<Player | null> {
    const row = await this.prisma.db.ply.findFirst({
      where: { gameId, ply },
      orderBy: { seq: 'desc' },
      select: { player: true },
    });
    return row && (row.player as Player);
  }

  async events(gameId: string): Promise<readonly EventRow[]> {
    const rows = await this.prisma.db.gameEvent.findMany({
      where: { gameId },
      orderBy: { seq: 'asc' },
    });
    return (rows as unknown as EventRow[]).sort(inOrder);
  }

  private async insertEvent(tx: Transaction, { data, ...columns }: EventRow): Promise<void> {
    await tx.gameEvent.create({ data: { ...columns, data: JSON.parse(JSON.stringify(data)) as object } });
  }
}

/** Field by field: nothing but columns may reach the database. */
const columnsOf = (row: GameRow) => ({
  id: row.id,
  ruleset: row.ruleset,
  options: { ...row.options },
  setup: row.setup,
  timeControl: { ...row.timeControl },
  firstId: row.firstId,
  secondId: row.secondId,
  status: row.status,
  version: row.version,
  plyCount: row.plyCount,
  turn: row.turn,
  position: row.position,
  anchorPosition: row.anchorPosition,
  anchorPly: row.anchorPly,
  moves: row.moves,
  termsHash: row.termsHash,
  headHash: row.headHash,
  commitment: row.commitment,
  dealRoot: row.dealRoot,
  firstClientSeed: row.firstClientSeed,
  secondClientSeed: row.secondClientSeed,
  clientSeedHash: row.clientSeedHash,
  creator: row.creator,
  sidesDrawn: row.sidesDrawn,
  turnStartedAt: row.turnStartedAt,
  deadlineAt: row.deadlineAt,
  winner: row.winner,
  reason: row.reason,
  createdAt: row.createdAt,
  lastActivityAt: row.lastActivityAt,
  endedAt: row.endedAt,
});

/** Of the events of one act the end comes last. */
const inOrder = (a: EventRow, b: EventRow): number =>
  a.seq - b.seq || EVENT_TYPES.indexOf(a.type) - EVENT_TYPES.indexOf(b.type);

const newestFirst = (a: GameRow, b: GameRow): number =>
  b.lastActivityAt.getTime() - a.lastActivityAt.getTime() || (a.id < b.id ? 1 : -1);
