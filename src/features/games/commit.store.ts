import { Inject, Injectable } from '@nestjs/common';
import { isOver } from '../../arbiter/table.js';
import type { Config } from '../../config.js';
import { Prisma } from '../../generated/prisma/client.js';
import { CONFIG } from '../../platform/config.module.js';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import { Health } from '../../platform/health.js';
import { GroupCommit, type Committed } from '../../platform/group-commit.js';
import type { RatedEnd } from '../ratings/rating.row.js';
import { RatingsService } from '../ratings/ratings.service.js';
import type { Player } from '../../rules/ruleset.js';
import { nextMoment } from './as-of-now.js';
import type { Act, GameRow } from './game.row.js';
import { newsOf, type Stale } from './notices.js';

/** Games as they were judged, and yet not free: somebody holds them, or has changed them in this very moment. */
const HELD = Prisma.sql`
  SELECT g.id::text, true FROM games g JOIN acts a ON g.id = a.id LEFT JOIN free f ON f.id = g.id
  WHERE g.version = a.was AND g.plans = a.plans AND f.id IS NULL`;

/** Which of the two moments of the clock a sweep looks for. */
export const MOMENTS = ['deadlineAt', 'wakeAt'] as const;
export type Moment = (typeof MOMENTS)[number];

/**
 * Writes acts: plies, events, game row, notifications and outbox in ONE statement, conditional on the version that each act was judged
 * on. Acts that come while a commit is under way go together in the next one. Ends of games that are to be rated go apart
 * from the others: they change the ratings in the same transaction.
 */
@Injectable()
export class CommitStore {
  private readonly group: GroupCommit<Act>;
  private readonly ends: GroupCommit<Act>;

  constructor(
    private readonly prisma: PrismaService,
    private readonly ratings: RatingsService,
    @Inject(CONFIG) { maxCommitsWaiting }: Pick<Config, 'maxCommitsWaiting'>,
    health: Health,
  ) {
    const queue = (commitAll: (acts: readonly Act[]) => Promise<Committed>) =>
      new GroupCommit<Act>(
        ({ before }) => before.id,
        commitAll,
        (act) => this.writeAlone(act),
        maxCommitsWaiting,
      );
    this.group = queue((acts) => this.write(acts));
    this.ends = queue((acts) => this.writeEnds(acts));
    health.watch(() => Promise.resolve(this.group.trouble() ?? this.ends.trouble()));
  }

  /** True when the act is stored, false when another act of the game came first. */
  commit(act: Act): Promise<boolean> {
    return (isRatedEnd(act) ? this.ends : this.group).submit(act);
  }

  /**
   * Takes up to `limit` games whose moment is over, those that no other instance has taken meanwhile, and writes in
   * the same transaction what `judge` makes of them. How many were taken, and what was stored.
   */
  async sweep(
    moment: Moment,
    now: Date,
    limit: number,
    except: readonly string[],
    judge: (rows: readonly GameRow[], tx: Transaction) => Promise<readonly Act[]>,
  ): Promise<{ readonly taken: number; readonly stored: readonly Act[] }> {
    return this.prisma.transaction(async (tx) => {
      const ids = await this.take(tx, moment, now, limit, except);
      const rows = await tx.game.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } });
      const acts = await judge(rows as unknown as GameRow[], tx);
      const won = acts.length === 0 ? new Set<string>() : (await this.writeRated(acts, tx)).won;
      return { taken: ids.length, stored: acts.filter(({ before }) => won.has(before.id)) };
    });
  }

  /** When the next clock has something to do, of those that had nothing to do at this moment; null without one. */
  async nextMoment(since: Date): Promise<number | null> {
    const [row] = await this.prisma.db.$queryRaw<[{ deadlineAt: Date | null; wakeAt: Date | null }]>`
      SELECT (SELECT min(deadline_at) FROM games WHERE deadline_at >= ${since}) AS "deadlineAt",
             (SELECT min(wake_at) FROM games WHERE wake_at > ${since}) AS "wakeAt"`;
    return nextMoment({ ...row, status: 'active' });
  }

  private async take(
    tx: Transaction,
    moment: Moment,
    now: Date,
    limit: number,
    except: readonly string[],
  ): Promise<string[]> {
    const rows =
      moment === 'deadlineAt'
        ? await tx.$queryRaw<{ id: string }[]>`
            SELECT id::text AS id FROM games WHERE deadline_at < ${now} AND NOT (id = ANY(${[...except]}::uuid[]))
            ORDER BY deadline_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`
        : await tx.$queryRaw<{ id: string }[]>`
            SELECT id::text AS id FROM games WHERE wake_at <= ${now} AND NOT (id = ANY(${[...except]}::uuid[]))
            ORDER BY wake_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
    return rows.map(({ id }) => id);
  }

  /**
   * After a failure nobody knows whether the batch was stored. Writing again is safe: the guard lets it in only if it
   * was not, and when the guard refuses, the log tells whether this very act is the one that is there. Null: the game is
   * held, and nothing is known yet.
   */
  private async writeAlone(act: Act): Promise<boolean | null> {
    const { won, held } = isRatedEnd(act) ? await this.writeEnds([act]) : await this.write([act]);
    if (held.has(act.before.id)) return null;
    return won.has(act.before.id) || (await this.isStored(act));
  }

  /** By the last step: one statement stores all of them, or none. */
  private async isStored({ before: { id }, plies, events }: Act): Promise<boolean> {
    const [ply, event] = [plies.at(-1), events.at(-1)];
    const rows =
      ply && ply.seq >= (event?.seq ?? 0)
        ? await this.prisma.db.$queryRaw<unknown[]>`
            SELECT 1 FROM plies WHERE game_id = ${id}::uuid AND seq = ${ply.seq} AND hash = ${ply.hash}`
        : await this.prisma.db.$queryRaw<unknown[]>`
            SELECT 1 FROM game_events WHERE game_id = ${id}::uuid AND seq = ${event!.seq} AND type = ${event!.type}
              AND player IS NOT DISTINCT FROM ${event!.player} AND at = ${event!.at} AND data = ${JSON.stringify(event!.data)}::jsonb`;
    return rows.length > 0;
  }

  private writeEnds(acts: readonly Act[]): Promise<Committed> {
    return this.prisma.transaction((tx) => this.writeRated(acts, tx));
  }

  /** The acts first, which hold their games, and then the ratings that those of them change that won. */
  private async writeRated(acts: readonly Act[], tx: Transaction): Promise<Committed> {
    const committed = await this.write(acts, tx);
    const rated = acts.filter((act) => committed.won.has(act.before.id) && isRatedEnd(act));
    await this.ratings.apply(tx, rated.map(endOf));
    return committed;
  }

  private async write(acts: readonly Act[], tx: Transaction = this.prisma.db): Promise<Committed> {
    const news = acts.map(newsOf);
    const written = acts.map((act, i) => ({ ...toJson(act), notices: news[i]!.notices }));
    const rows = await this.run(tx, JSON.stringify(written), columnsOf(news.flatMap(({ stale }) => stale)));
    const idsOf = (given: boolean) => new Set(rows.filter(({ held }) => held === given).map(({ id }) => id));
    return { won: idsOf(false), held: idsOf(true) };
  }

  /** The statement, over acts as JSON and the notifications that they have answered. */
  private run(
    tx: Transaction,
    acts: string,
    { users, games, types }: StaleColumns,
  ): Promise<{ id: string; held: boolean }[]> {
    return tx.$queryRaw<{ id: string; held: boolean }[]>`
      WITH acts AS MATERIALIZED (
        SELECT * FROM jsonb_to_recordset(${acts}::jsonb) AS a(
          id uuid, was integer, plans integer, version integer, status text, ply_count integer, turn text,
          position text, anchor_position text, anchor_ply integer, moves text, head_hash text,
          turn_started_at timestamptz, deadline_at timestamptz, clock jsonb, offers jsonb, takebacks jsonb,
          wake_at timestamptz, first_plan jsonb, second_plan jsonb, winner text, reason text, unrated text,
          last_activity_at timestamptz, ended_at timestamptz, first_seconds integer, second_seconds integer, plies jsonb, events jsonb, notices jsonb)
      ), free AS MATERIALIZED (
        SELECT g.id FROM games g JOIN acts a ON g.id = a.id
        WHERE g.version = a.was AND g.plans = a.plans ORDER BY g.id FOR UPDATE OF g SKIP LOCKED
      ), won AS (
        UPDATE games g SET
          version = a.version, status = a.status, ply_count = a.ply_count, turn = a.turn, position = a.position,
          anchor_position = a.anchor_position, anchor_ply = a.anchor_ply, moves = a.moves, head_hash = a.head_hash,
          turn_started_at = a.turn_started_at, deadline_at = a.deadline_at, clock = a.clock, offers = a.offers,
          takebacks = a.takebacks, wake_at = a.wake_at, first_plan = a.first_plan, second_plan = a.second_plan,
          winner = a.winner, reason = a.reason, unrated = a.unrated, last_activity_at = a.last_activity_at, ended_at = a.ended_at,
          first_seconds = g.first_seconds + a.first_seconds, second_seconds = g.second_seconds + a.second_seconds
        FROM acts a JOIN free f ON f.id = a.id
        WHERE g.id = a.id AND g.version = a.was AND g.plans = a.plans
        RETURNING g.id, g.version
      ), played AS (
        INSERT INTO plies (game_id, seq, ply, player, move, reveals, captured, san, position, time_used, clock,
                           automatic, played_at, previous_hash, hash, proof)
        SELECT w.id, p.seq, p.ply, p.player, p.move, p.reveals, p.captured, p.san, p.position, p."timeUsed", p.clock,
               p.automatic, p."playedAt", p."previousHash", p.hash, p.proof
        FROM acts a JOIN won w ON w.id = a.id
        CROSS JOIN LATERAL jsonb_to_recordset(a.plies) AS p(
          seq integer, ply integer, player text, move text, reveals text, captured text, san text, position text,
          "timeUsed" integer, clock integer, automatic boolean, "playedAt" timestamptz, "previousHash" text, hash text,
          proof jsonb)
      ), logged AS (
        INSERT INTO game_events (game_id, seq, type, player, data, at)
        SELECT w.id, e.seq, e.type, e.player, e.data, e.at FROM acts a JOIN won w ON w.id = a.id
        CROSS JOIN LATERAL jsonb_to_recordset(a.events) AS e(
          seq integer, type text, player text, data jsonb, at timestamptz)
      ), noticed AS (
        INSERT INTO notifications (user_id, game_id, type, data, created_at)
        SELECT n."userId", w.id, n.type, n.data, n.at FROM acts a JOIN won w ON w.id = a.id
        CROSS JOIN LATERAL jsonb_to_recordset(a.notices) AS n("userId" uuid, type text, data jsonb, at timestamptz)
        ORDER BY n."userId", w.id, n.type
        ON CONFLICT (user_id, game_id, type)
          DO UPDATE SET data = EXCLUDED.data, created_at = EXCLUDED.created_at, read_at = NULL
      ), answered AS (
        UPDATE notifications n SET read_at = a.last_activity_at
        -- Arrays, whose length the planner sees: of rows in JSON it expects so many that it reads the whole table.
        FROM unnest(${users}::uuid[], ${games}::uuid[], ${types}::text[]) AS s(user_id, game_id, type)
        JOIN won w ON w.id = s.game_id JOIN acts a ON a.id = w.id
        WHERE n.user_id = s.user_id AND n.game_id = s.game_id AND n.type = s.type AND n.read_at IS NULL
      ), told AS (
        INSERT INTO outbox (game_id, version, created_at) SELECT id, version, now() FROM won
      )
      SELECT id::text AS id, false AS held FROM won UNION ALL ${HELD}`;
  }
}

const isRatedEnd = ({ after }: Act): boolean => isOver(after) && after.unrated === null;

const endOf = ({ after }: Act): RatedEnd => ({
  gameId: after.id,
  ruleset: after.ruleset,
  firstId: after.firstId,
  secondId: after.secondId,
  winner: after.winner,
  endedAt: after.endedAt!,
});

interface StaleColumns {
  readonly users: string[];
  readonly games: string[];
  readonly types: string[];
}

const columnsOf = (stale: readonly Stale[]): StaleColumns => ({
  users: stale.map(({ userId }) => userId),
  games: stale.map(({ gameId }) => gameId),
  types: stale.map(({ type }) => type),
});

/** The act as the statement reads it: dates as ISO text, which JSON.stringify makes of them. */
const toJson = (act: Act) => ({
  id: act.before.id,
  was: act.before.version,
  plans: act.before.plans,
  version: act.after.version,
  status: act.after.status,
  ply_count: act.after.plyCount,
  turn: act.after.turn,
  position: act.after.position,
  anchor_position: act.after.anchorPosition,
  anchor_ply: act.after.anchorPly,
  moves: act.after.moves,
  head_hash: act.after.headHash,
  turn_started_at: act.after.turnStartedAt,
  deadline_at: act.after.deadlineAt,
  clock: act.after.clock,
  offers: act.after.offers,
  takebacks: act.after.takebacks,
  wake_at: act.after.wakeAt,
  first_plan: act.after.firstPlan,
  second_plan: act.after.secondPlan,
  winner: act.after.winner,
  reason: act.after.reason,
  unrated: act.after.unrated,
  last_activity_at: act.after.lastActivityAt,
  ended_at: act.after.endedAt,
  first_seconds: secondsOf(act, 'first'),
  second_seconds: secondsOf(act, 'second'),
  plies: act.plies,
  events: act.events,
});

/** What a player has used in the plies of the act. */
const secondsOf = ({ plies }: Act, player: Player): number =>
  plies.reduce((sum, ply) => (ply.player === player ? sum + ply.timeUsed : sum), 0);
