import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import { batchById } from '../../platform/batch.js';
import type { Player } from '../../rules/ruleset.js';
import { OutboxStore } from '../../platform/outbox.store.js';
import type { Plan } from '../../arbiter/conditional-moves.js';
import type { Takeback } from '../../arbiter/state.js';
import { withPlan, type EventRow, type GameRow } from './game.row.js';
import type { Beginning } from './opening.js';
import type { RunningRow } from './urgency.js';

/** The sort keys of the game after which a list continues. */
export interface GameKey {
  readonly lastActivityAt: Date;
  readonly id: string;
}

export const LISTS = ['all', 'running', 'ended'] as const;
export type GameList = (typeof LISTS)[number];

@Injectable()
export class GamesStore {
  private readonly found = batchById<GameRow | null>(
    async (ids) => new Map((await this.byIds(ids)).map((row) => [row.id, row])),
    () => null,
  );

  constructor(
    private readonly prisma: PrismaService,
    private readonly outbox: OutboxStore,
  ) {}

  /** The game with this id; null if there is none. */
  find(id: string): Promise<GameRow | null> {
    return this.found(id.toLowerCase());
  }

  /** The id of the game that a seek was paired into; null if there is none. */
  async gameOfSeek(id: string): Promise<string | null> {
    const seek = await this.prisma.db.challenge.findUnique({ where: { id, kind: 'seek' } });
    return seek?.gameId ?? null;
  }

  /** The number of a user's running games. */
  async countRunning(tx: Transaction, userId: string): Promise<number> {
    const counts = [{ firstId: userId }, { secondId: userId }].map((seat) =>
      tx.game.count({ where: { ...seat, endedAt: null } }),
    );
    return (await Promise.all(counts)).reduce((a, b) => a + b);
  }

  /** How often each user had the first side in games of this rule set, without pending and aborted ones. */
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
   * Replaces the pending game of this version with the one that `open` makes, and calls `tell` in the same transaction.
   * Returns false if the game is no longer pending at that version.
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
      await tx.$executeRaw`INSERT INTO events (user_id, other_id, game_id, version, steps)
        SELECT first_id, second_id, id, version, version - ${waited}::integer FROM games WHERE id = ${id}::uuid`;
      await this.insertEvents(tx, events);
      await this.outbox.append(tx, id, row.version, row.lastActivityAt);
      await tell(tx, row);
      return true;
    });
  }

  async byIds(ids: readonly string[]): Promise<readonly GameRow[]> {
    // A row as one JSON value: Prisma's query builder takes three times as long to read it.
    const rows = await this.prisma.db.$queryRaw<{ row: JsonRow }[]>`
      SELECT row_to_json(g) AS row FROM (
        SELECT id, format, ruleset, options, setup, time_control AS "timeControl", rated, first_id AS "firstId",
               second_id AS "secondId", status, version, ply_count AS "plyCount", turn, position,
               anchor_position AS "anchorPosition", anchor_ply AS "anchorPly", moves, terms_hash AS "termsHash",
               head_hash AS "headHash", commitment, deal_root AS "dealRoot", first_client_seed AS "firstClientSeed",
               second_client_seed AS "secondClientSeed", client_seed_hash AS "clientSeedHash",
               accepter_seed_hash AS "accepterSeedHash", creator, sides_drawn AS "sidesDrawn", sides_by AS "sidesBy",
               turn_started_at AS "turnStartedAt", deadline_at AS "deadlineAt", clock, offers, takebacks,
               wake_at AS "wakeAt", plans, first_plan AS "firstPlan", second_plan AS "secondPlan", winner, reason,
               unrated, created_at AS "createdAt", last_activity_at AS "lastActivityAt", ended_at AS "endedAt"
        FROM games WHERE id = ANY(${[...ids]}::uuid[])) g`;
    return rows.map(({ row }) => rowOf(row));
  }

  /** A user's running games, unordered. */
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
    // Read running games first: one that ends in between is then found twice rather than missed.
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
    // One query for each seat, so that each uses its own index; a single OR would not.
    const seats = [{ firstId: userId }, { secondId: userId }].map((seat) =>
      this.prisma.db.game.findMany({
        where: { ...seat, endedAt, ...behind(part, after) },
        orderBy: [{ [ACTIVITY[part]]: 'desc' }, { id: 'desc' }],
        take: limit,
      }),
    );
    return (await Promise.all(seats)).flat() as unknown as GameRow[];
  }

  /** The player who made the ply with this number. */
  async playerOf(gameId: string, ply: number): Promise<Player | null> {
    const row = await this.prisma.db.ply.findFirst({
      where: { gameId, ply },
      orderBy: { seq: 'desc' },
      select: { player: true },
    });
    return row && (row.player as Player);
  }

  /** The time in each player's bank after their last ply up to this one; absent without a ply. */
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

  /** Returns the row with the plan; null if the game or its conditional moves have changed since the row was read. */
  async setPlan(row: GameRow, player: Player, plan: Plan | null): Promise<GameRow | null> {
    const { id, version, plans } = row;
    const value = plan === null ? Prisma.DbNull : plain(plan);
    const column = player === 'first' ? { firstPlan: value } : { secondPlan: value };
    const { count } = await this.prisma.db.game.updateMany({
      where: { id, version, plans },
      data: { ...column, plans: plans + 1 },
    });
    return count === 0 ? null : { ...row, ...withPlan(player, plan), plans: plans + 1 };
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

/** The columns with a time, which JSON has as text. */
type Times = 'turnStartedAt' | 'deadlineAt' | 'wakeAt' | 'createdAt' | 'lastActivityAt' | 'endedAt';
type JsonRow = Omit<GameRow, Times> & { readonly [Time in Times]: string | null };

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

// The types are right: only this program writes the columns, and the database checks them.
const rowOf = (row: JsonRow): GameRow => ({
  ...row,
  turnStartedAt: new Date(row.turnStartedAt!),
  deadlineAt: dateOf(row.deadlineAt),
  wakeAt: dateOf(row.wakeAt),
  createdAt: new Date(row.createdAt!),
  lastActivityAt: new Date(row.lastActivityAt!),
  endedAt: dateOf(row.endedAt),
});

/** Lists each column, so that nothing else reaches the database. */
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

/** A value as Prisma accepts JSON. */
const plain = (value: unknown): object => JSON.parse(JSON.stringify(value)) as object;

/** The condition for plies that were not taken back. */
const standing = (takebacks: readonly Takeback[]) => ({
  NOT: takebacks.map(({ seq, ply }) => ({ seq: { lt: seq }, ply: { gt: ply } })),
});

/** The column of the last activity: that of a game which is over is its end. */
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
