import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { Prisma } from '../../generated/prisma/client.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { arrayText, type Element } from '../../platform/database/array-text.js';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import { Health } from '../../platform/process/health.js';
import { GroupCommit, type Committed } from '../../platform/gathering/group-commit.js';
import type { AnyPlayer } from '../users/users.model.js';
import { UsersService, type JsonUser } from '../users/users.service.js';
import type { Player } from '../../rules/ruleset.js';
import { STORED_LATE_MS } from './as-of-now.js';
import type { EventRow, GameRow, PlyRow, Transition } from './game.row.js';
import { Participants } from './participants.js';
import { vacationGuard } from './vacation-guard.store.js';

/**
 * True if the game is as it was judged. By the hash of its newest row, since after a lost commit the same version may
 * have another course behind it.
 */
const AS_JUDGED = Prisma.sql`g.version = a.was AND g.head_hash = a.judged_hash AND g.plans = a.plans`;

/** Games that are still as judged but could not be locked: another transaction holds them. */
const HELD = Prisma.sql`
  SELECT g.id::text, NULL FROM games g JOIN acts a ON g.id = a.id LEFT JOIN free f ON f.id = g.id
  WHERE ${AS_JUDGED} AND f.id IS NULL`;

/** A commit that the server has not confirmed by then is refused: a little after its connection was given up. */
const CONFIRMED_MS = 9_500;

/** How long after a deadline an act that was judged in time may still be stored. */
const LATEST = `${STORED_LATE_MS} milliseconds`;

/** What a sweep did: how many games it locked, and what it stored. */
export interface Swept {
  readonly taken: number;
  readonly stored: readonly Transition[];
}

/** When the clock of a game next has something to do; the deadline itself is still in time. */
const NEXT_MOMENT = Prisma.sql`least(deadline_at + interval '1 millisecond', wake_at)`;

/**
 * Writes transitions (plies, events, game row and the rows of participants) in ONE statement that checks what
 * each was judged on. Transitions that arrive during a commit are batched into the next one. Those that need a
 * transaction have a queue of their own.
 */
@Injectable()
export class CommitStore {
  private readonly single: GroupCommit<Transition, Players>;
  private readonly wide: GroupCommit<Transition, Players>;

  constructor(
    private readonly prisma: PrismaService,
    private readonly participants: Participants,
    private readonly users: UsersService,
    @Inject(CONFIG) { maxCommitsWaiting }: Pick<Config, 'maxCommitsWaiting'>,
    health: Health,
  ) {
    const queue = (commitAll: (transitions: readonly Transition[]) => Promise<Committed<Players>>) =>
      new GroupCommit<Transition, Players>(
        ({ before }) => before.id,
        commitAll,
        (transition) => this.writeAlone(transition),
        maxCommitsWaiting,
        // The embedded database has one connection, for whose other work a commit may wait.
        prisma.kind === 'server' ? CONFIRMED_MS : undefined,
      );
    this.single = queue((transitions) => this.write(transitions));
    this.wide = queue((transitions) => this.writeWide(transitions));
    health.watch(() => Promise.resolve(this.single.trouble() ?? this.wide.trouble()));
  }

  /** Returns the players once the transition is stored; null if another one came first or the deadline has passed. */
  commit(transition: Transition): Promise<Players | null> {
    const queue = this.participants.needTransaction(transition) ? this.wide : this.single;
    return queue.submit(transition);
  }

  /**
   * Locks up to `limit` games whose alarm has passed and that no other instance has locked, writes the transitions that
   * `judge` makes of those that are due, and sets the alarms anew, in one transaction.
   */
  async sweep(
    now: Date,
    limit: number,
    except: readonly string[],
    judge: (rows: readonly GameRow[], tx: Transaction) => Promise<readonly Transition[]>,
  ): Promise<Swept> {
    return this.prisma.transaction(async (tx) => {
      const taken = await this.take(tx, now, limit, except);
      const due = taken.filter(({ isDue }) => isDue).map(({ id }) => id);
      const stored = due.length === 0 ? [] : await this.judged(tx, due, judge);
      await this.setAlarms(tx, taken);
      return { taken: taken.length, stored };
    });
  }

  /** The next time after `since` at which a clock may have something to do; null if there is none. */
  async nextMoment(since: Date): Promise<number | null> {
    const [row] = await this.prisma.query<[{ dueAt: Date | null }]>`
      SELECT min(due_at) AS "dueAt" FROM games WHERE due_at > ${since}`;
    return row.dueAt?.getTime() ?? null;
  }

  private take(tx: Transaction, now: Date, limit: number, except: readonly string[]): Promise<Taken[]> {
    return tx.$queryRaw<Taken[]>`
      SELECT id::text AS id, ${NEXT_MOMENT} <= ${now} AS "isDue" FROM games
      WHERE due_at <= ${now} AND NOT (id = ANY(${[...except]}::uuid[]))
      ORDER BY due_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED`;
  }

  private async judged(
    tx: Transaction,
    ids: readonly string[],
    judge: (rows: readonly GameRow[], tx: Transaction) => Promise<readonly Transition[]>,
  ): Promise<readonly Transition[]> {
    const rows = await tx.game.findMany({ where: { id: { in: [...ids] } }, orderBy: { id: 'asc' } });
    const transitions = await judge(rows as unknown as GameRow[], tx);
    const { won } = transitions.length === 0 ? NOTHING : await this.writeWithin(tx, transitions);
    return transitions.filter(({ before }) => won.has(before.id));
  }

  /** Moves passed alarms to the next moments of their games; one that is still due stays so. */
  private async setAlarms(tx: Transaction, taken: readonly Taken[]): Promise<void> {
    if (taken.length === 0) return;
    await tx.$executeRaw`UPDATE games SET due_at = ${NEXT_MOMENT}
      WHERE id = ANY(${taken.map(({ id }) => id)}::uuid[]) AND due_at IS DISTINCT FROM ${NEXT_MOMENT}`;
  }

  /**
   * After a failure it is unknown whether the batch was stored. Writing again is safe: the guard admits the
   * transition only if it was not stored, and if it refuses, the log shows whether this transition is the stored one.
   */
  private async writeAlone(transition: Transition): Promise<Committed<Players>> {
    const { id } = transition.before;
    const isWide = this.participants.needTransaction(transition);
    const committed = isWide ? await this.writeWide([transition]) : await this.write([transition]);
    if (committed.won.has(id) || committed.held.has(id) || !(await this.isStored(transition)))
      return committed;
    return { ...committed, won: new Map([[id, []]]) };
  }

  /** Checks the last step only: one statement stores all steps or none. */
  private async isStored({ before: { id }, plies, events }: Transition): Promise<boolean> {
    const [ply, event] = [plies.at(-1), events.at(-1)];
    const rows =
      ply && ply.seq >= (event?.seq ?? 0)
        ? await this.prisma.query<unknown[]>`
            SELECT 1 FROM plies WHERE game_id = ${id}::uuid AND seq = ${ply.seq} AND hash = ${ply.hash}`
        : await this.prisma.query<unknown[]>`
            SELECT 1 FROM game_events
            WHERE game_id = ${id}::uuid AND seq = ${event!.seq} AND type = ${event!.type} AND hash = ${event!.hash}`;
    return rows.length > 0;
  }

  private writeWide(transitions: readonly Transition[]): Promise<Committed<Players>> {
    return this.prisma.transaction((tx) => this.writeWithin(tx, transitions));
  }

  /** Writes the transitions first, which locks their games, and then the participants' changes for those stored. */
  private async writeWithin(
    tx: Transaction,
    transitions: readonly Transition[],
  ): Promise<Committed<Players>> {
    const committed = await this.write(transitions, tx);
    await this.participants.within(
      tx,
      transitions.filter(({ before }) => committed.won.has(before.id)),
    );
    return committed;
  }

  private async write(transitions: readonly Transition[], tx?: Transaction): Promise<Committed<Players>> {
    const sql = statement(transitions, this.participants.rows(transitions), this.users.asJson);
    const rows = await (tx ? tx.$queryRaw<Written[]>(sql) : this.prisma.query<Written[]>(sql));
    return {
      won: new Map(
        rows.flatMap(({ id, players }) => (players ? [[id, players.map(this.users.ofJson)]] : [])),
      ),
      held: new Set(rows.flatMap(({ id, players }) => (players ? [] : [id]))),
    };
  }
}

/** The players of a game as users, as of the commit; those that are missing are to be read. */
type Players = readonly AnyPlayer[];

/** A game that was written, with its players, or that another transaction holds. */
interface Written {
  readonly id: string;
  readonly players: readonly JsonUser[] | null;
}

/** A game whose alarm has passed; not due if its players have moved meanwhile. */
interface Taken {
  readonly id: string;
  readonly isDue: boolean;
}

const NOTHING: Committed<Players> = { won: new Map(), held: new Set() };

/**
 * The statement over transitions as arrays, with the rows of participants as further table expressions: one text for
 * moves, so that the database plans it once. It returns the players for the answer to an act.
 */
const statement = (
  transitions: readonly Transition[],
  rows: readonly Prisma.Sql[],
  player: Prisma.Sql,
): Prisma.Sql => {
  const events = transitions.flatMap((transition) => transition.events);
  const further = [...(events.length === 0 ? [] : [logged(events)]), ...rows];
  return Prisma.sql`
      WITH acts AS MATERIALIZED (
        SELECT * FROM ${actsOf(transitions)} ${vacationGuard(transitions)}
      ), free AS MATERIALIZED (
        SELECT g.id FROM games g JOIN acts a ON g.id = a.id
        WHERE ${AS_JUDGED} ORDER BY g.id FOR NO KEY UPDATE OF g SKIP LOCKED
      ), won AS (
        UPDATE games g SET
          version = a.version, status = a.status, ply_count = a.ply_count, turn = a.turn, position = a.position,
          anchor_position = a.anchor_position, anchor_ply = a.anchor_ply, moves = a.added || right(g.moves, a.kept),
          head_hash = a.head_hash, turn_started_at = a.turn_started_at, deadline_at = a.deadline_at, clock = a.clock,
          offers = a.offers, takebacks = a.takebacks, wake_at = a.wake_at, first_plan = a.first_plan,
          second_plan = a.second_plan, winner = a.winner, reason = a.reason, unrated = a.unrated,
          last_activity_at = a.last_activity_at, ended_at = a.ended_at,
          first_plies = g.first_plies + a.first_plies, second_plies = g.second_plies + a.second_plies,
          first_seconds = g.first_seconds + a.first_seconds, second_seconds = g.second_seconds + a.second_seconds
        FROM acts a JOIN free f ON f.id = a.id
        WHERE g.id = a.id AND ${AS_JUDGED}
          AND (a.by_clock OR g.deadline_at IS NULL OR clock_timestamp() <= g.deadline_at + ${LATEST}::interval)
        RETURNING g.id, g.version, g.first_id, g.second_id, g.application_id, a.was
      ), played AS (
        INSERT INTO plies (game_id, seq, ply, player, move, reveals, captured, san, position, time_used, clock,
                           automatic, played_at, previous_hash, hash, proof)
        SELECT p.* FROM ${pliesOf(transitions)} JOIN won w ON w.id = p.game_id
      ), happened AS (
        INSERT INTO events (user_id, other_id, application_id, game_id, version, steps)
        SELECT first_id, second_id, application_id, id, version, version - was FROM won
      )${further.length === 0 ? Prisma.empty : Prisma.sql`, ${Prisma.join(further)}`}
      SELECT w.id::text AS id, (SELECT json_agg(${player}) FROM users u WHERE u.id IN (w.first_id, w.second_id)) AS players
      FROM won w UNION ALL ${HELD}`;
};

/** The columns of a row that are no JSON. */
type PlainColumn<Row> = { [K in keyof Row]: Row[K] extends Element ? K : never }[keyof Row];

/** The transitions as rows `a`. */
function actsOf(transitions: readonly Transition[]): Prisma.Sql {
  const from = (value: (transition: Transition) => Element) => arrayText(transitions.map(value));
  const to = (name: PlainColumn<GameRow>) => from(({ after }) => after[name]);
  const json = (name: keyof GameRow) => from(({ after }) => jsonOf(after[name]));
  return Prisma.sql`unnest(
          ${from(({ before }) => before.id)}::uuid[], ${from(({ before }) => before.version)}::integer[],
          ${from(({ before }) => before.headHash)}::text[], ${from(({ before }) => before.plans)}::uuid[],
          ${from(({ byClock }) => byClock)}::boolean[],
          ${to('version')}::integer[], ${to('status')}::text[], ${to('plyCount')}::integer[], ${to('turn')}::text[],
          ${to('position')}::text[], ${to('anchorPosition')}::text[], ${to('anchorPly')}::integer[],
          ${from((transition) => movesOf(transition).added)}::text[],
          ${from((transition) => movesOf(transition).kept)}::integer[], ${to('headHash')}::text[],
          ${to('turnStartedAt')}::timestamptz[], ${to('deadlineAt')}::timestamptz[], ${json('clock')}::jsonb[],
          ${json('offers')}::jsonb[], ${json('takebacks')}::jsonb[], ${to('wakeAt')}::timestamptz[],
          ${json('firstPlan')}::jsonb[], ${json('secondPlan')}::jsonb[], ${to('winner')}::text[],
          ${to('reason')}::text[], ${to('unrated')}::text[], ${to('lastActivityAt')}::timestamptz[],
          ${to('endedAt')}::timestamptz[],
          ${from(({ plies }) => pliesOfPlayer(plies, 'first').length)}::integer[],
          ${from(({ plies }) => pliesOfPlayer(plies, 'second').length)}::integer[],
          ${from(({ plies }) => secondsOf(plies, 'first'))}::integer[],
          ${from(({ plies }) => secondsOf(plies, 'second'))}::integer[]
        ) AS a(id, was, judged_hash, plans, by_clock, version, status, ply_count, turn, position, anchor_position, anchor_ply, added,
               kept, head_hash, turn_started_at, deadline_at, clock, offers, takebacks, wake_at, first_plan, second_plan,
               winner, reason, unrated, last_activity_at, ended_at, first_plies, second_plies, first_seconds,
               second_seconds)`;
}

/** Their plies as rows `p`. */
function pliesOf(transitions: readonly Transition[]): Prisma.Sql {
  const plies = transitions.flatMap((transition) => transition.plies);
  const all = (name: PlainColumn<PlyRow>) => arrayText(plies.map((ply) => ply[name]));
  return Prisma.sql`unnest(
          ${all('gameId')}::uuid[], ${all('seq')}::integer[], ${all('ply')}::integer[], ${all('player')}::text[],
          ${all('move')}::text[], ${all('reveals')}::text[], ${all('captured')}::text[], ${all('san')}::text[],
          ${all('position')}::text[], ${all('timeUsed')}::integer[], ${all('clock')}::integer[],
          ${all('automatic')}::boolean[], ${all('playedAt')}::timestamptz[], ${all('previousHash')}::text[],
          ${all('hash')}::text[], ${arrayText(plies.map(({ proof }) => jsonOf(proof)))}::jsonb[]
        ) AS p(game_id, seq, ply, player, move, reveals, captured, san, position, time_used, clock, automatic, played_at,
               previous_hash, hash, proof)`;
}

/** Writes the entries of the log. */
function logged(events: readonly EventRow[]): Prisma.Sql {
  const all = (name: PlainColumn<EventRow>) => arrayText(events.map((event) => event[name]));
  return Prisma.sql`logged AS (
        INSERT INTO game_events (game_id, seq, type, player, data, at, previous_hash, hash)
        SELECT e.* FROM unnest(
          ${all('gameId')}::uuid[], ${all('seq')}::integer[], ${all('type')}::text[], ${all('player')}::text[],
          ${arrayText(events.map(({ data }) => jsonOf(data)))}::jsonb[], ${all('at')}::timestamptz[], ${all('previousHash')}::text[],
          ${all('hash')}::text[]
        ) AS e(game_id, seq, type, player, data, at, previous_hash, hash) JOIN won w ON w.id = e.game_id
      )`;
}

const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** The text of the moves as what is added to the last characters of the stored one, which can be long. */
function movesOf({ before, after }: Transition): { readonly added: string; readonly kept: number } {
  if (before.moves.endsWith(after.moves)) return { added: '', kept: after.moves.length };
  const kept = after.moves.endsWith(before.moves) ? before.moves.length : 0;
  return { added: after.moves.slice(0, after.moves.length - kept), kept };
}

const pliesOfPlayer = (plies: readonly PlyRow[], player: Player): readonly PlyRow[] =>
  plies.filter((ply) => ply.player === player);

/** The seconds that a player used in these plies. */
const secondsOf = (plies: readonly PlyRow[], player: Player): number =>
  pliesOfPlayer(plies, player).reduce((sum, ply) => sum + ply.timeUsed, 0);
