import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { Prisma } from '../../generated/prisma/client.js';
import { CONFIG } from '../../platform/config.module.js';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import { Health } from '../../platform/health.js';
import { GroupCommit, type Committed } from '../../platform/group-commit.js';
import type { Player } from '../../rules/ruleset.js';
import { nextMoment, STORED_LATE_MS } from './as-of-now.js';
import type { GameRow, PlyRow, Transition } from './game.row.js';
import { Participants } from './participants.js';

/** Games as they were judged, and yet not free: somebody holds them, or has changed them in this very moment. */
const HELD = Prisma.sql`
  SELECT g.id::text, true FROM games g JOIN acts a ON g.id = a.id LEFT JOIN free f ON f.id = g.id
  WHERE g.version = a.was AND g.plans = a.plans AND f.id IS NULL`;

/** How long behind a deadline the last act is stored that was judged in time. */
const LATEST = `${STORED_LATE_MS} milliseconds`;

/** Which of the two moments of the clock a sweep looks for. */
export const MOMENTS = ['deadlineAt', 'wakeAt'] as const;
export type Moment = (typeof MOMENTS)[number];

/**
 * Writes transitions: plies, events, game row, outbox and what the participants add, in ONE statement, conditional on the
 * version that each was judged on. What comes while a commit is under way goes together in the next one. What needs a
 * transaction goes apart from the others.
 */
@Injectable()
export class CommitStore {
  private readonly single: GroupCommit<Transition>;
  private readonly wide: GroupCommit<Transition>;

  constructor(
    private readonly prisma: PrismaService,
    private readonly participants: Participants,
    @Inject(CONFIG) { maxCommitsWaiting }: Pick<Config, 'maxCommitsWaiting'>,
    health: Health,
  ) {
    const queue = (commitAll: (transitions: readonly Transition[]) => Promise<Committed>) =>
      new GroupCommit<Transition>(
        ({ before }) => before.id,
        commitAll,
        (transition) => this.writeAlone(transition),
        maxCommitsWaiting,
      );
    this.single = queue((transitions) => this.write(transitions));
    this.wide = queue((transitions) => this.writeWide(transitions));
    health.watch(() => Promise.resolve(this.single.trouble() ?? this.wide.trouble()));
  }

  /** True when the transition is stored, false when another one of the game came first or its time is over. */
  commit(transition: Transition): Promise<boolean> {
    const queue = this.participants.needTransaction(transition) ? this.wide : this.single;
    return queue.submit(transition);
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
    judge: (rows: readonly GameRow[], tx: Transaction) => Promise<readonly Transition[]>,
  ): Promise<{ readonly taken: number; readonly stored: readonly Transition[] }> {
    return this.prisma.transaction(async (tx) => {
      const ids = await this.take(tx, moment, now, limit, except);
      const rows = await tx.game.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } });
      const transitions = await judge(rows as unknown as GameRow[], tx);
      const { won } = transitions.length === 0 ? NOTHING : await this.writeWithin(tx, transitions);
      return { taken: ids.length, stored: transitions.filter(({ before }) => won.has(before.id)) };
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
   * was not, and when the guard refuses, the log tells whether this very transition is the one that is there. Null: the
   * game is held, and nothing is known yet.
   */
  private async writeAlone(transition: Transition): Promise<boolean | null> {
    const isWide = this.participants.needTransaction(transition);
    const { won, held } = isWide ? await this.writeWide([transition]) : await this.write([transition]);
    if (held.has(transition.before.id)) return null;
    return won.has(transition.before.id) || (await this.isStored(transition));
  }

  /** By the last step: one statement stores all of them, or none. */
  private async isStored({ before: { id }, plies, events }: Transition): Promise<boolean> {
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

  private writeWide(transitions: readonly Transition[]): Promise<Committed> {
    return this.prisma.transaction((tx) => this.writeWithin(tx, transitions));
  }

  /** The transitions first, which hold their games, and then what the participants make of those that won. */
  private async writeWithin(tx: Transaction, transitions: readonly Transition[]): Promise<Committed> {
    const committed = await this.write(transitions, tx);
    await this.participants.within(
      tx,
      transitions.filter(({ before }) => committed.won.has(before.id)),
    );
    return committed;
  }

  private async write(
    transitions: readonly Transition[],
    tx: Transaction = this.prisma.db,
  ): Promise<Committed> {
    const written = JSON.stringify(transitions.map(toJson));
    const rows = await tx.$queryRaw<{ id: string; held: boolean }[]>(
      statement(written, this.participants.rows(transitions)),
    );
    const idsOf = (given: boolean) => new Set(rows.filter(({ held }) => held === given).map(({ id }) => id));
    return { won: idsOf(false), held: idsOf(true) };
  }
}

const NOTHING: Committed = { won: new Set(), held: new Set() };

/** The statement, over transitions as JSON and with what the participants write beside them. */
const statement = (transitions: string, rows: readonly Prisma.Sql[]): Prisma.Sql => Prisma.sql`
      WITH acts AS MATERIALIZED (
        SELECT * FROM jsonb_to_recordset(${transitions}::jsonb) AS a(
          id uuid, was integer, plans integer, by_clock boolean, version integer, status text, ply_count integer, turn text,
          position text, anchor_position text, anchor_ply integer, moves text, head_hash text,
          turn_started_at timestamptz, deadline_at timestamptz, clock jsonb, offers jsonb, takebacks jsonb,
          wake_at timestamptz, first_plan jsonb, second_plan jsonb, winner text, reason text, unrated text,
          last_activity_at timestamptz, ended_at timestamptz, first_seconds integer, second_seconds integer, plies jsonb, events jsonb)
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
          AND (a.by_clock OR g.deadline_at IS NULL OR clock_timestamp() <= g.deadline_at + ${LATEST}::interval)
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
        INSERT INTO game_events (game_id, seq, type, player, data, at, previous_hash, hash)
        SELECT w.id, e.seq, e.type, e.player, e.data, e.at, e."previousHash", e.hash FROM acts a JOIN won w ON w.id = a.id
        CROSS JOIN LATERAL jsonb_to_recordset(a.events) AS e(
          seq integer, type text, player text, data jsonb, at timestamptz, "previousHash" text, hash text)
      ), told AS (
        INSERT INTO outbox (game_id, version, created_at) SELECT id, version, now() FROM won
      )${rows.length === 0 ? Prisma.empty : Prisma.sql`, ${Prisma.join(rows)}`}
      SELECT id::text AS id, false AS held FROM won UNION ALL ${HELD}`;

/** The transition as the statement reads it: dates as ISO text, which JSON.stringify makes of them. */
const toJson = ({ before, after, plies, events, byClock }: Transition) => ({
  id: before.id,
  was: before.version,
  plans: before.plans,
  by_clock: byClock,
  version: after.version,
  status: after.status,
  ply_count: after.plyCount,
  turn: after.turn,
  position: after.position,
  anchor_position: after.anchorPosition,
  anchor_ply: after.anchorPly,
  moves: after.moves,
  head_hash: after.headHash,
  turn_started_at: after.turnStartedAt,
  deadline_at: after.deadlineAt,
  clock: after.clock,
  offers: after.offers,
  takebacks: after.takebacks,
  wake_at: after.wakeAt,
  first_plan: after.firstPlan,
  second_plan: after.secondPlan,
  winner: after.winner,
  reason: after.reason,
  unrated: after.unrated,
  last_activity_at: after.lastActivityAt,
  ended_at: after.endedAt,
  first_seconds: secondsOf(plies, 'first'),
  second_seconds: secondsOf(plies, 'second'),
  plies,
  events,
});

/** What a player has used in these plies. */
const secondsOf = (plies: readonly PlyRow[], player: Player): number =>
  plies.reduce((sum, ply) => (ply.player === player ? sum + ply.timeUsed : sum), 0);
