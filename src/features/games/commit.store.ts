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

/** Games that still have the judged version but could not be locked: another transaction holds them. */
const HELD = Prisma.sql`
  SELECT g.id::text, true FROM games g JOIN acts a ON g.id = a.id LEFT JOIN free f ON f.id = g.id
  WHERE g.version = a.was AND g.plans = a.plans AND f.id IS NULL`;

/** How long after a deadline an act that was judged in time may still be stored. */
const LATEST = `${STORED_LATE_MS} milliseconds`;

/** The column by which a sweep finds games whose clock has something to do. */
export const SWEEP_KINDS = ['deadlineAt', 'wakeAt'] as const;
export type SweepKind = (typeof SWEEP_KINDS)[number];

/**
 * Writes transitions (plies, events, game row and the rows of participants) in ONE statement that checks the
 * version each was judged on. Transitions that arrive during a commit are batched into the next one. Those that need a
 * transaction have a queue of their own.
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

  /** Returns true if the transition is stored, false if another one came first or the deadline has passed. */
  commit(transition: Transition): Promise<boolean> {
    const queue = this.participants.needTransaction(transition) ? this.wide : this.single;
    return queue.submit(transition);
  }

  /**
   * Locks up to `limit` games that are due and not locked by another instance, and writes the transitions that `judge`
   * makes of them in the same transaction. Returns how many were locked and what was stored.
   */
  async sweep(
    kind: SweepKind,
    now: Date,
    limit: number,
    except: readonly string[],
    judge: (rows: readonly GameRow[], tx: Transaction) => Promise<readonly Transition[]>,
  ): Promise<{ readonly taken: number; readonly stored: readonly Transition[] }> {
    return this.prisma.transaction(async (tx) => {
      const ids = await this.take(tx, kind, now, limit, except);
      const rows = await tx.game.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } });
      const transitions = await judge(rows as unknown as GameRow[], tx);
      const { won } = transitions.length === 0 ? NOTHING : await this.writeWithin(tx, transitions);
      return { taken: ids.length, stored: transitions.filter(({ before }) => won.has(before.id)) };
    });
  }

  /** The next time after `since` at which any clock has something to do; null if there is none. */
  async nextMoment(since: Date): Promise<number | null> {
    const [row] = await this.prisma.db.$queryRaw<[{ deadlineAt: Date | null; wakeAt: Date | null }]>`
      SELECT (SELECT min(deadline_at) FROM games WHERE deadline_at >= ${since}) AS "deadlineAt",
             (SELECT min(wake_at) FROM games WHERE wake_at > ${since}) AS "wakeAt"`;
    return nextMoment({ ...row, status: 'active' });
  }

  private async take(
    tx: Transaction,
    kind: SweepKind,
    now: Date,
    limit: number,
    except: readonly string[],
  ): Promise<string[]> {
    const rows =
      kind === 'deadlineAt'
        ? await tx.$queryRaw<{ id: string }[]>`
            SELECT id::text AS id FROM games WHERE deadline_at < ${now} AND NOT (id = ANY(${[...except]}::uuid[]))
            ORDER BY deadline_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`
        : await tx.$queryRaw<{ id: string }[]>`
            SELECT id::text AS id FROM games WHERE wake_at <= ${now} AND NOT (id = ANY(${[...except]}::uuid[]))
            ORDER BY wake_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
    return rows.map(({ id }) => id);
  }

  /**
   * After a failure it is unknown whether the batch was stored. Writing again is safe: the version check admits the
   * transition only if it was not stored, and if it refuses, the log shows whether this transition is the stored one.
   * Returns null if the game is locked, so that nothing is known yet.
   */
  private async writeAlone(transition: Transition): Promise<boolean | null> {
    const isWide = this.participants.needTransaction(transition);
    const { won, held } = isWide ? await this.writeWide([transition]) : await this.write([transition]);
    if (held.has(transition.before.id)) return null;
    return won.has(transition.before.id) || (await this.isStored(transition));
  }

  /** Checks the last step only: one statement stores all steps or none. */
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

  /** Writes the transitions first, which locks their games, and then the participants' changes for those stored. */
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

/** The statement over transitions as JSON, with the rows of participants as further table expressions. */
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
      )${rows.length === 0 ? Prisma.empty : Prisma.sql`, ${Prisma.join(rows)}`}
      SELECT id::text AS id, false AS held FROM won UNION ALL ${HELD}`;

/** The transition in the columns of the statement; JSON.stringify turns dates into ISO text. */
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

/** The seconds that a player used in these plies. */
const secondsOf = (plies: readonly PlyRow[], player: Player): number =>
  plies.reduce((sum, ply) => (ply.player === player ? sum + ply.timeUsed : sum), 0);
