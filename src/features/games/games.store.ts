import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import { batchById } from '../../platform/gathering/batch.js';
import type { Player } from '../../rules/ruleset.js';
import type { Plan } from '../../arbiter/conditional-moves.js';
import type { Takeback } from '../../arbiter/state.js';
import { withPlan, type EventRow, type GameRow } from './game.row.js';
import { KnownGames, type Stamped } from './known-games.js';
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

  /** A user's running games, unordered. */
  readonly running = batchById<readonly RunningRow[]>(
    (ids) => this.runningByUser(ids),
    () => [],
  );

  constructor(
    private readonly prisma: PrismaService,
    private readonly known: KnownGames,
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
    const rows = await this.prisma.query<{ userId: string; times: number }[]>`
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
  }

  /**
   * Replaces this pending game with the one that `open` makes, and calls `tell` in the same transaction. Returns false if
   * the game is no longer as it was read.
   */
  async goOn(
    { version: waited, headHash }: Pick<GameRow, 'version' | 'headHash'>,
    open: (tx: Transaction) => Promise<Beginning>,
    tell: (tx: Transaction, row: GameRow) => Promise<void>,
  ): Promise<boolean> {
    return this.prisma.transaction(async (tx) => {
      const { row, events } = await open(tx);
      const { id, ...data } = columnsOf(row);
      const { count } = await tx.game.updateMany({
        where: { id, status: 'pending', version: waited, headHash },
        data,
      });
      if (count === 0) return false;
      await tx.$executeRaw`INSERT INTO events (user_id, other_id, application_id, game_id, version, steps)
        SELECT first_id, second_id, application_id, id, version, version - ${waited}::integer FROM games WHERE id = ${id}::uuid`;
      await this.insertEvents(tx, events);
      await tell(tx, row);
      return true;
    });
  }

  /** The existing games among these, unordered. */
  async byIds(ids: readonly string[]): Promise<readonly GameRow[]> {
    const asked = [...new Set(ids.map((id) => id.toLowerCase()))];
    const known = new Map(asked.map((id) => [id, this.known.get(id)]));
    const stamps = asked.map((id) => known.get(id)?.stamp ?? '');
    // A row as one JSON value: Prisma's query builder takes three times as long to read it.
    const rows = await this.prisma.query<{ id: string; row: (JsonRow & Stamped) | null }[]>`
      SELECT id::text AS id, CASE WHEN ${STAMP} = known THEN NULL ELSE (
        SELECT row_to_json(g) FROM (SELECT ${COLUMNS}, ${STAMP} AS stamp) g) END AS row
      FROM games JOIN unnest(${asked}::uuid[], ${stamps}::text[]) AS a(asked, known) ON id = asked`;
    return rows.map(({ id, row }) => (row === null ? known.get(id)!.row : this.remember(row)));
  }

  /** The games whose stamps were just read, unordered: those that are remembered as they are, the others read now. */
  async withStamps(stamped: readonly Stamped[]): Promise<readonly GameRow[]> {
    const known = stamped.flatMap(({ id, stamp }) => {
      const game = this.known.get(id);
      return game?.stamp === stamp ? [game.row] : [];
    });
    if (known.length === stamped.length) return known;
    const ids = new Set(known.map(({ id }) => id));
    const lacking = stamped.filter(({ id }) => !ids.has(id)).map(({ id }) => id);
    return [...known, ...(await this.byIds(lacking))];
  }

  private remember({ stamp, ...row }: JsonRow & Stamped): GameRow {
    return this.known.set(rowOf(row), stamp);
  }

  private async runningByUser(ids: readonly string[]): Promise<ReadonlyMap<string, readonly RunningRow[]>> {
    // One part for each seat, so that each uses its own index; a single OR would not.
    const seats = [Prisma.sql`first_id`, Prisma.sql`second_id`].map(
      (seat) => Prisma.sql`SELECT ${seat}::text AS "userId", ${RUNNING} AS row FROM games
        WHERE ${seat} = ANY(${[...ids]}::uuid[]) AND ended_at IS NULL`,
    );
    const rows = await this.prisma.query<{ userId: string; row: JsonRunningRow }[]>`
      ${Prisma.join(seats, ' UNION ALL ')}`;
    const found = new Map<string, RunningRow[]>(ids.map((id) => [id, []]));
    for (const { userId, row } of rows) found.get(userId)!.push(runningRowOf(row));
    return found;
  }

  /** The games of a user by last activity, newest first. */
  async ofUser(
    userId: string,
    list: Exclude<GameList, 'running'>,
    after: GameKey | null,
    limit: number,
  ): Promise<readonly GameRow[]> {
    const parts = list === 'all' ? [RUNNING_PART, ENDED_PART] : [ENDED_PART];
    const seats = [Prisma.sql`first_id`, Prisma.sql`second_id`];
    const keys = parts.flatMap(({ condition, activity }) =>
      seats.map(
        (seat) => Prisma.sql`(SELECT id, ${activity} AS at FROM games
          WHERE ${seat} = ${userId}::uuid AND ${condition} ${behind(activity, after)}
          ORDER BY ${activity} DESC, id DESC LIMIT ${limit})`,
      ),
    );
    const rows = await this.prisma.query<Stamped[]>`
      SELECT id::text AS id, ${STAMP} AS stamp FROM games WHERE id IN (
        SELECT id FROM (${Prisma.join(keys, ' UNION ALL ')}) k ORDER BY at DESC, id DESC LIMIT ${limit})`;
    return [...(await this.withStamps(rows))].sort(newestFirst);
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
    const { id, version, headHash } = row;
    const plans = randomUUID();
    const value = plan === null ? Prisma.DbNull : plain(plan);
    const column = player === 'first' ? { firstPlan: value } : { secondPlan: value };
    const { count } = await this.prisma.db.game.updateMany({
      where: { id, version, headHash, plans: row.plans },
      data: { ...column, plans },
    });
    return count === 0 ? null : { ...row, ...withPlan(player, plan), plans };
  }

  private async insertEvents(tx: Transaction, events: readonly EventRow[]): Promise<void> {
    await tx.gameEvent.createMany({ data: events.map((event) => ({ ...event, data: plain(event.data) })) });
  }
}

/**
 * What changes whenever a row of `games` does. A transaction leaves its number in the rows that it changes; beside it is
 * what no other course of the game shares, for numbers that come again, after four billion or in a replica that takes
 * over.
 */
const STAMP = Prisma.sql`(games.xmin::text || ' ' || head_hash || ' ' || plans)`;

/** The stamp of the game with this id, for a statement of another store. */
export const stampOf = (id: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(SELECT ${STAMP} FROM games WHERE games.id = ${id})`;

/** The columns of a RunningRow as one value. */
const RUNNING = Prisma.sql`json_build_object(
  'id', id, 'firstId', first_id, 'secondId', second_id, 'status', status, 'turn', turn,
  'creator', creator, 'firstClientSeed', first_client_seed, 'secondClientSeed', second_client_seed,
  'clientSeedHash', client_seed_hash, 'accepterSeedHash', accepter_seed_hash, 'offers', offers,
  'deadlineAt', deadline_at, 'wakeAt', wake_at, 'stamp', ${STAMP})`;

type JsonRunningRow = Omit<RunningRow, 'deadlineAt' | 'wakeAt'> & Pick<JsonRow, 'deadlineAt' | 'wakeAt'>;

const runningRowOf = (row: JsonRunningRow): RunningRow => ({
  ...row,
  deadlineAt: dateOf(row.deadlineAt),
  wakeAt: dateOf(row.wakeAt),
});

/** The columns with a time, which JSON has as text. */
type Times = 'turnStartedAt' | 'deadlineAt' | 'wakeAt' | 'createdAt' | 'lastActivityAt' | 'endedAt';
type JsonRow = Omit<GameRow, Times> & { readonly [Time in Times]: string | null };

/** The columns of a row by their names in memory, for a value that `rowOf` reads. */
const COLUMNS = Prisma.sql`
  id, ruleset, options, setup, time_control AS "timeControl", rated, first_id AS "firstId",
  second_id AS "secondId", status, version, ply_count AS "plyCount", turn, position,
  anchor_position AS "anchorPosition", anchor_ply AS "anchorPly", moves, terms_hash AS "termsHash",
  head_hash AS "headHash", commitment, deal_root AS "dealRoot", first_client_seed AS "firstClientSeed",
  second_client_seed AS "secondClientSeed", client_seed_hash AS "clientSeedHash",
  accepter_seed_hash AS "accepterSeedHash", creator, sides_by AS "sidesBy",
  turn_started_at AS "turnStartedAt", deadline_at AS "deadlineAt", clock, offers, takebacks,
  wake_at AS "wakeAt", plans, first_plan AS "firstPlan", second_plan AS "secondPlan", winner, reason,
  unrated, created_at AS "createdAt", last_activity_at AS "lastActivityAt", ended_at AS "endedAt",
  application_id AS "applicationId", external_id AS "externalId"`;

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
  applicationId: row.applicationId,
  externalId: row.externalId,
});

/** A value as Prisma accepts JSON. */
const plain = (value: unknown): object => JSON.parse(JSON.stringify(value)) as object;

/** The condition for plies that were not taken back. */
const standing = (takebacks: readonly Takeback[]) => ({
  NOT: takebacks.map(({ seq, ply }) => ({ seq: { lt: seq }, ply: { gt: ply } })),
});

/** The parts of a list, each with its own indexes. The last activity of a game that is over is its end. */
const RUNNING_PART = { condition: Prisma.sql`ended_at IS NULL`, activity: Prisma.sql`last_activity_at` };
const ENDED_PART = { condition: Prisma.sql`ended_at IS NOT NULL`, activity: Prisma.sql`ended_at` };

const behind = (activity: Prisma.Sql, after: GameKey | null): Prisma.Sql =>
  after === null
    ? Prisma.empty
    : Prisma.sql`AND (${activity}, id) < (${after.lastActivityAt}::timestamptz, ${after.id}::uuid)`;

/** The order of the lists by last activity. */
export const newestFirst = (a: GameKey, b: GameKey): number =>
  b.lastActivityAt.getTime() - a.lastActivityAt.getTime() || (a.id < b.id ? 1 : -1);
