import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService, type Sql } from '../../platform/database/prisma.service.js';
import { START, type Landmark } from '../../platform/events/landmark.js';
import { HORIZON, LAST, stands } from '../../platform/events/landmarks.store.js';
import {
  BEGINNING,
  type ChangePosition,
  type ChangeRow,
  type ChangesReader,
  type Told,
} from './change.row.js';

/** Changes in order, and what has become of the position that they follow. */
export interface Followed {
  readonly rows: readonly ChangeRow[];
  /** The last event of the log, of whatever user, before which everything was read. */
  readonly landmark: Landmark;
  /** Whether the landmark of the reader is still there. */
  readonly stands: boolean;
  /** The thing that the reader was told of last, as it is now; null if nothing is known of it. */
  readonly now: Pick<ChangeRow, 'xid' | 'mark'> | null;
}

interface Joined extends ChangeRow {
  readonly stands: boolean;
  readonly tide: bigint | null;
  readonly event: bigint;
  readonly eventMark: bigint;
  readonly nowXid: string | null;
  readonly nowMark: bigint;
}

interface ChangeKey {
  readonly userId: string;
  readonly kind: string;
  readonly id: string;
}

const FIRST_KEY: ChangeKey = { userId: NIL, kind: '', id: '' };
/** The batch size of a statement, which must end within seconds: a restored database may have millions of rows. */
const PUT_AT_ONCE = 10_000;

/** Reads what the triggers of prisma/migrations write, and folds the events of games into it. */
@Injectable()
export class ChangesStore {
  constructor(private readonly prisma: PrismaService) {}

  /**
   * The changes of a user after a position, in order: the stored ones of these kinds and those of games that are not
   * folded yet, each thing by its newest. Those from the oldest running transaction on are left for later: numbers are
   * not assigned in the order of commits, and no change may be skipped.
   */
  async after(
    { userId, kinds }: ChangesReader,
    told: Told,
    limit: number,
    landmark = START,
  ): Promise<Followed> {
    const { kind, id } = told;
    const rows = await this.prisma.query<Joined[]>`
      WITH fresh AS MATERIALIZED (${unfolded(userId, told)})
      SELECT here.stands, l.tide, l.id AS event, l.mark AS "eventMark", now.xid::text AS "nowXid", now.mark AS "nowMark",
             c.xid::text AS xid, c.kind, c.id, c.mark, c.deleted, c.at
      FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS horizon, ${stands(landmark)} AS stands) here
      LEFT JOIN LATERAL (${LAST}) l ON true
      LEFT JOIN LATERAL (
        SELECT xid, mark, 1 AS place FROM changes
        WHERE user_id = ${userId}::uuid AND (kind, id) = (${kind}::text, ${id}::text)
        UNION ALL
        SELECT xid, mark, 2 FROM fresh WHERE (kind, id) = (${kind}::text, ${id}::text)
        ORDER BY xid DESC, place LIMIT 1
      ) now ON true
      LEFT JOIN LATERAL (
        (SELECT xid, kind, id, mark, deleted, at FROM changes s
         WHERE user_id = ${userId}::uuid AND (xid, kind, id) > ${positionOf(told)} AND xid < here.horizon
           AND kind = ANY (${[...kinds]}::text[])
           AND coalesce((SELECT f.xid <= s.xid FROM fresh f WHERE (f.kind, f.id) = (s.kind, s.id)), true)
         ORDER BY xid, kind, id LIMIT ${limit})
        UNION ALL
        SELECT * FROM fresh f WHERE (xid, kind, id) > ${positionOf(told)} AND coalesce((
          SELECT s.xid < f.xid FROM changes s
          WHERE s.user_id = ${userId}::uuid AND (s.kind, s.id) = (f.kind, f.id)), true)
        ORDER BY xid, kind, id LIMIT ${limit}
      ) c ON true
      ORDER BY c.xid, c.kind, c.id`;
    const { stands: isThere, nowXid, nowMark } = rows[0]!;
    return {
      rows: rows.filter((row) => row.xid !== null).map(changeOf),
      landmark: landmarkOf(rows[0]!),
      stands: isThere,
      now: nowXid === null ? null : { xid: nowXid, mark: nowMark },
    };
  }

  /** The last change of a user, and the end of the log. */
  async last(userId: string): Promise<{ readonly told: Told; readonly landmark: Landmark }> {
    const [row] = await this.prisma.query<Joined[]>`
      WITH fresh AS MATERIALIZED (${unfolded(userId, BEGINNING)})
      SELECT l.tide, l.id AS event, l.mark AS "eventMark", c.xid::text AS xid, c.kind, c.id, c.mark, c.deleted, c.at
      FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS horizon) here
      LEFT JOIN LATERAL (${LAST}) l ON true
      LEFT JOIN LATERAL (
        (SELECT xid, kind, id, mark, deleted, at, 1 AS place FROM changes
         WHERE user_id = ${userId}::uuid AND xid < here.horizon ORDER BY xid DESC, kind DESC, id DESC LIMIT 1)
        UNION ALL
        SELECT *, 2 FROM fresh ORDER BY xid DESC, kind DESC, id DESC, place LIMIT 1
      ) c ON true`;
    return { told: row!.xid === null ? BEGINNING : changeOf(row!), landmark: landmarkOf(row!) };
  }

  /**
   * Folds the next `limit` events into the changes; returns how many there were. Does nothing while another instance
   * folds.
   */
  async fold(limit: number): Promise<number> {
    const [{ folded }] = await this.prisma.query<[{ folded: number }]>`
      WITH state AS MATERIALIZED (
        SELECT folded_tide, folded_id FROM event_state FOR UPDATE SKIP LOCKED
      ), next AS MATERIALIZED (
        SELECT e.* FROM state CROSS JOIN LATERAL (
          SELECT * FROM events WHERE (tide, id) > (folded_tide, folded_id) AND tide < ${HORIZON}
          ORDER BY tide, id LIMIT ${limit}
        ) e
      ), moved AS (
        UPDATE event_state SET (folded_tide, folded_id) = (
          SELECT tide, id FROM next ORDER BY tide DESC, id DESC LIMIT 1)
        WHERE EXISTS (SELECT FROM next)
      ), folding AS MATERIALIZED (
        SELECT fold_events(array_agg(tide), array_agg(mark), array_agg(owner), array_agg(game_id), array_agg(at))::text AS done
        FROM next CROSS JOIN LATERAL (VALUES (user_id), (other_id)) AS concerned(owner)
        WHERE type IS NULL AND owner IS NOT NULL
      )
      SELECT (SELECT count(*) FROM next)::integer AS folded, done FROM folding`;
    return folded;
  }

  /**
   * Begins the log anew if the database was restored in another cluster: changes with future numbers are renumbered, and
   * events are forgotten, so that no cursor from there is valid here.
   */
  async arrive(): Promise<void> {
    const [{ moved }] = await this.prisma.query<[{ moved: boolean }]>`
      SELECT cluster <> current_cluster() AS moved FROM event_state`;
    if (!moved) return;
    let last: ChangeKey | undefined = FIRST_KEY;
    while (last !== undefined) last = await this.putBehind(last);
    // Last, so that a killed process repeats it.
    await this.prisma.db.$executeRaw`SELECT begin_log()::text`;
  }

  /** Renumbers those changes of a batch after this key that have future numbers; returns the last key of the batch. */
  private async putBehind({ userId, kind, id }: ChangeKey): Promise<ChangeKey | undefined> {
    const [last] = await this.prisma.query<ChangeKey[]>`
      WITH part AS MATERIALIZED (
        SELECT user_id, kind, id FROM changes
        WHERE (user_id, kind, id) > (${userId}::uuid, ${kind}::text, ${id}::text)
        ORDER BY user_id, kind, id LIMIT ${PUT_AT_ONCE}
      ), ahead AS MATERIALIZED (
        SELECT c.user_id, c.kind, c.id FROM changes c JOIN part USING (user_id, kind, id)
        WHERE c.xid >= pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY c.user_id, c.kind, c.id FOR UPDATE OF c
      ), put AS (
        UPDATE changes c SET xid = pg_current_xact_id() FROM ahead a
        WHERE c.user_id = a.user_id AND c.kind = a.kind AND c.id = a.id
      )
      SELECT user_id::text AS "userId", kind, id FROM part ORDER BY part.user_id DESC, kind DESC, part.id DESC LIMIT 1`;
    return last;
  }

  /** Deletes up to `limit` tombstones that are older than this; returns how many. */
  async forget(before: Date, limit: number): Promise<number> {
    return this.prisma.db.$executeRaw`
      DELETE FROM changes WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM changes WHERE deleted AND at < ${before}::timestamptz
        ORDER BY at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
  }
}

const positionOf = ({ xid, kind, id }: ChangePosition): Sql =>
  Prisma.sql`(${xid}::text::xid8, ${kind}::text, ${id}::text)`;

/** The games of a user that changed after a position and are not folded yet. */
function unfolded(userId: string, { xid }: ChangePosition): Sql {
  // Each is compared by a value of its own: for a join the planner might sort all changes of the user.
  const events = (column: Sql) => Prisma.sql`
    SELECT * FROM events WHERE ${column} = ${userId}::uuid AND type IS NULL AND tide < ${HORIZON}
      AND (tide, id) > (
        (SELECT greatest(folded_tide, ${xid}::text::bigint - 1) FROM event_state),
        (SELECT folded_id FROM event_state))`;
  return Prisma.sql`
    SELECT DISTINCT ON (e.game_id) e.tide::text::xid8 AS xid, 'game'::text COLLATE "C" AS kind,
           e.game_id::text COLLATE "C" AS id, e.mark, false AS deleted, e.at
    FROM (${events(Prisma.sql`user_id`)} UNION ALL ${events(Prisma.sql`other_id`)}) e
    ORDER BY e.game_id, e.tide DESC, e.id`;
}

const changeOf = ({ xid, kind, id, mark, deleted, at }: Joined): ChangeRow => ({
  xid,
  kind,
  id,
  mark,
  deleted,
  at,
});

const landmarkOf = ({ tide, event: id, eventMark: mark }: Joined): Landmark =>
  tide === null ? START : { tide, id, mark };
