import { Injectable } from '@nestjs/common';
import { Prisma } from '../generated/prisma/client.js';
import { PrismaService, type Transaction } from '../platform/database/prisma.service.js';
import type { Player } from '../rules/ruleset.js';
import { OutboxStore } from '../platform/outbox.store.js';
import type { Plan } from '../arbiter/plans.js';
import { EVENT_TYPES, type Takeback } from '../arbiter/table.js';
import type { EventRow, GameRow, PlyRow } from './game.row.js';
import type { RunningRow } from './urgency.js';

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

type Players = Pick<GameRow, 'firstId' | 'secondId'>;

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

  /** Holds the two players, so that no other game and no vacation of theirs begins meanwhile. */
  async lockPlayers(tx: Transaction, { firstId, secondId }: Players): Promise<void> {
    await tx.$queryRaw`
      SELECT 1 FROM users WHERE id IN (${firstId}::uuid, ${secondId}::uuid) ORDER BY id FOR NO KEY UPDATE`;
  }

  /** How many games of this user go on. */
  async countRunning(tx: Transaction, userId: string): Promise<number> {
    const counts = [{ firstId: userId }, { secondId: userId }].map((seat) =>
      tx.game.count({ where: { ...seat, endedAt: null } }),
    );
    return (await Promise.all(counts)).reduce((a, b) => a + b);
  }

  async insert(tx: Transaction, row: GameRow, start: EventRow): Promise<void> {
    await tx.game.create({ data: columnsOf(row) });
    await this.insertEvent(tx, start);
    await this.outbox.append(tx, row.id, row.version, row.lastActivityAt);
  }

  /**
   * Writes a started game over the one that waited with this version, with what `tell` writes beside it; false when
   * that is gone. `open` says how it starts.
   */
  async start(
    waited: number,
    open: (tx: Transaction) => Promise<GameRow>,
    started: (row: GameRow) => EventRow,
    tell: (tx: Transaction, row: GameRow) => Promise<void>,
  ): Promise<boolean> {
    return this.prisma.transaction(async (tx) => {
      const row = await open(tx);
      const { id, ...data } = columnsOf(row);
      const { count } = await tx.game.updateMany({ where: { id, status: 'pending', version: waited }, data });
      if (count === 0) return false;
      await this.insertEvent(tx, started(row));
      await this.outbox.append(tx, id, row.version, row.lastActivityAt);
      await tell(tx, row);
      return true;
    });
  }

  async byIds(ids: readonly string[]): Promise<readonly GameRow[]> {
    return (await this.prisma.db.game.findMany({ where: { id: { in: [...ids] } } })) as unknown as GameRow[];
  }

  /** The games of a user that go on, in no order. */
  async running(userId: string): Promise<readonly RunningRow[]> {
    const seats = [{ firstId: userId }, { secondId: userId }].map((seat) =>
      this.prisma.db.game.findMany({ where: { ...seat, endedAt: null }, select: RUNNING }),
    );
    return (await Promise.all(seats)).flat() as unknown as RunningRow[];
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

  /** Without those that one of `takebacks` has taken back. */
  async plies(
    gameId: string,
    takebacks: readonly Takeback[],
    { after, before, limit, fromEnd }: PlyRange,
  ): Promise<readonly PlyRow[]> {
    const rows = await this.prisma.db.ply.findMany({
      where: {
        gameId,
        ...standing(takebacks),
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

  countPlies(gameId: string): Promise<number> {
    return this.prisma.db.ply.count({ where: { gameId } });
  }

  /** What was in the bank of each player who has made a ply by then, after his last one. */
  async banksAfter(
    { id: gameId, takebacks }: GameRow,
    ply: number,
  ): Promise<Readonly<Partial<Record<Player, number>>>> {
    const rows = await this.prisma.db.ply.findMany({
      where: { gameId, ply: { lte: ply }, ...standing(takebacks) },
      orderBy: { seq: 'desc' },
      distinct: ['player'],
      select: { player: true, clock: true },
    });
    return Object.fromEntries(rows.map(({ player, clock }) => [player, clock!]));
  }

  /** False when the game, or what is planned in it, has changed since the row was read. */
  async setPlan({ id, version, plans }: GameRow, player: Player, plan: Plan | null): Promise<boolean> {
    const value = plan === null ? Prisma.DbNull : plain(plan);
    const column = player === 'first' ? { firstPlan: value } : { secondPlan: value };
    const { count } = await this.prisma.db.game.updateMany({
      where: { id, version, plans },
      data: { ...column, plans: plans + 1 },
    });
    return count === 1;
  }

  async events(gameId: string): Promise<readonly EventRow[]> {
    const rows = await this.prisma.db.gameEvent.findMany({
      where: { gameId },
      orderBy: { seq: 'asc' },
    });
    return (rows as unknown as EventRow[]).sort(inOrder);
  }

  private async insertEvent(tx: Transaction, { data, ...columns }: EventRow): Promise<void> {
    await tx.gameEvent.create({ data: { ...columns, data: plain(data) } });
  }
}

const RUNNING = {
  id: true,
  firstId: true,
  secondId: true,
  status: true,
  turn: true,
  creator: true,
  offers: true,
  deadlineAt: true,
  wakeAt: true,
} as const satisfies Record<keyof RunningRow, true>;

/** Field by field: nothing but columns may reach the database. */
const columnsOf = (row: GameRow) => ({
  id: row.id,
  ruleset: row.ruleset,
  options: { ...row.options },
  setup: row.setup,
  timeControl: { ...row.timeControl },
  rated: row.rated,
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
  clock: plain(row.clock),
  offers: plain(row.offers),
  takebacks: plain(row.takebacks),
  wakeAt: row.wakeAt,
  plans: row.plans,
  winner: row.winner,
  reason: row.reason,
  createdAt: row.createdAt,
  lastActivityAt: row.lastActivityAt,
  endedAt: row.endedAt,
});

/** A value as Prisma takes JSON. */
const plain = (value: unknown): object => JSON.parse(JSON.stringify(value)) as object;

/** The plies that none of these takebacks has taken back. */
const standing = (takebacks: readonly Takeback[]) => ({
  NOT: takebacks.map(({ seq, ply }) => ({ seq: { lt: seq }, ply: { gt: ply } })),
});

/** Of the events of one act the end comes last. */
const inOrder = (a: EventRow, b: EventRow): number =>
  a.seq - b.seq || EVENT_TYPES.indexOf(a.type) - EVENT_TYPES.indexOf(b.type);

const newestFirst = (a: GameRow, b: GameRow): number =>
  b.lastActivityAt.getTime() - a.lastActivityAt.getTime() || (a.id < b.id ? 1 : -1);
