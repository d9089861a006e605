import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import type { Player } from '../../rules/ruleset.js';
import { OutboxStore } from '../../platform/outbox.store.js';
import type { Plan } from '../../arbiter/plans.js';
import type { Takeback } from '../../arbiter/state.js';
import type { EventRow, GameRow } from './game.row.js';
import type { Beginning } from './opening.js';
import type { RunningRow } from './urgency.js';

/** Where a list of games goes on: behind the game with these sort keys. */
export interface GameKey {
  readonly lastActivityAt: Date;
  readonly id: string;
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

  /** The game that a seek has become part of; null where there is none. */
  async gameOfSeek(id: string): Promise<string | null> {
    const seek = await this.prisma.db.challenge.findUnique({ where: { id, kind: 'seek' } });
    return seek?.gameId ?? null;
  }

  /** How many games of this user go on. */
  async countRunning(tx: Transaction, userId: string): Promise<number> {
    const counts = [{ firstId: userId }, { secondId: userId }].map((seat) =>
      tx.game.count({ where: { ...seat, endedAt: null } }),
    );
    return (await Promise.all(counts)).reduce((a, b) => a + b);
  }

  /** In how many games with this rule set each of these users had the first side; called-off ones do not count. */
  async timesFirst(userIds: readonly string[], ruleset: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.prisma.db.$queryRaw<{ userId: string; times: number }[]>`
      SELECT u.id::text AS "userId", (
        SELECT count(*) FROM games g
        WHERE g.first_id = u.id AND g.ruleset = ${ruleset} AND g.status NOT IN ('pending', 'aborted')
      )::integer AS times
      FROM unnest(${[...userIds]}::uuid[]) AS u(id)`;
    return new Map(rows.map(({ userId, times }) => [userId, times]));
  }

  async insert(tx: Transaction, { row, events }: Beginning): Promise<void> {
    await tx.game.create({ data: columnsOf(row) });
    await this.insertEvents(tx, events);
    await this.outbox.append(tx, row.id, row.version, row.lastActivityAt);
  }

  /**
   * Writes a game over the one that waited with this version, with what `tell` writes beside it; false when that is
   * gone. `open` says how it goes on.
   */
  async goOn(
    waited: number,
    open: (tx: Transaction) => Promise<Beginning>,
    tell: (tx: Transaction, row: GameRow) => Promise<void>,
  ): Promise<boolean> {
    return this.prisma.transaction(async (tx) => {
      const { row, events } = await open(tx);
      const { id, ...data } = columnsOf(row);
      const { count } = await tx.game.updateMany({ where: { id, status: 'pending', version: waited }, data });
      if (count === 0) return false;
      await this.insertEvents(tx, events);
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
    const rows = new Map<string, GameRow>();
    // Those that go on first: what ends meanwhile is found twice, not lost.
    for (const part of list === 'all' ? (['running', 'ended'] as const) : [list]) {
      for (const row of await this.partOf(userId, part, after, limit)) rows.set(row.id, row);
    }
    return [...rows.values()].sort(newestFirst).slice(0, limit);
  }

  private async partOf(
    userId: string,
    part: keyof typeof ACTIVITY,
    after: GameKey | null,
    limit: number,
  ): Promise<readonly GameRow[]> {
    const endedAt = part === 'running' ? null : { not: null };
    // One query a seat: each is a walk along its own index, which a single OR would not be.
    const seats = [{ firstId: userId }, { secondId: userId }].map((seat) =>
      this.prisma.db.game.findMany({
        where: { ...seat, endedAt, ...behind(part, after) },
        orderBy: [{ [ACTIVITY[part]]: 'desc' }, { id: 'desc' }],
        take: limit,
      }),
    );
    return (await Promise.all(seats)).flat() as unknown as GameRow[];
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

  private async insertEvents(tx: Transaction, events: readonly EventRow[]): Promise<void> {
    await tx.gameEvent.createMany({ data: events.map((event) => ({ ...event, data: plain(event.data) })) });
  }
}

const RUNNING = {
  id: true,
  firstId: true,
  secondId: true,
  status: true,
  turn: true,
  format: true,
  creator: true,
  firstClientSeed: true,
  secondClientSeed: true,
  clientSeedHash: true,
  accepterSeedHash: true,
  offers: true,
  deadlineAt: true,
  wakeAt: true,
} as const satisfies Record<keyof RunningRow, true>;

/** Field by field: nothing but columns may reach the database. */
const columnsOf = (row: GameRow) => ({
  id: row.id,
  format: row.format,
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
  accepterSeedHash: row.accepterSeedHash,
  creator: row.creator,
  sidesDrawn: row.sidesDrawn,
  sidesBy: row.sidesBy,
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

/** The column that tells the last activity: what is over has seen its last when it ended. */
const ACTIVITY = { running: 'lastActivityAt', ended: 'endedAt' } as const;

function behind(part: keyof typeof ACTIVITY, after: GameKey | null): Prisma.GameWhereInput {
  if (after === null) return {};
  const { lastActivityAt: at, id } = after;
  const column = ACTIVITY[part];
  return { AND: [{ [column]: { lte: at } }, { OR: [{ [column]: { lt: at } }, { id: { lt: id } }] }] };
}

/** The order of the lists by last activity. */
export const newestFirst = (a: GameKey, b: GameKey): number =>
  b.lastActivityAt.getTime() - a.lastActivityAt.getTime() || (a.id < b.id ? 1 : -1);
