import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { ChangePosition, ChangeRow } from './change.row.js';

/** The state of the log, read in one statement. */
export interface Present {
  /** All transactions before this one have ended. */
  readonly horizon: string;
  /** The current history; null if the database was restored elsewhere and no history has begun here. */
  readonly epoch: string | null;
}

/** Changes in order. */
export interface Followed extends Present {
  readonly rows: readonly ChangeRow[];
}

type Joined = ChangeRow & Present;

interface ChangeKey {
  readonly userId: string;
  readonly kind: string;
  readonly id: string;
}

const FIRST_KEY: ChangeKey = { userId: NIL, kind: '', id: '' };
/** The batch size of a statement, which must end within seconds: a restored database may have millions of rows. */
const PUT_AT_ONCE = 10_000;

const EPOCH = Prisma.sql`(SELECT epoch::text FROM change_epochs WHERE place = place_of_changes())`;

const HORIZON = Prisma.sql`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

/** Reads what the triggers of prisma/migrations write, and folds the events of games into it. */
@Injectable()
export class ChangesStore {
  constructor(private readonly prisma: PrismaService) {}

  /**
   * The changes of a user after a position, in order: the stored ones and those of games that are not folded yet, each
   * thing by its newest. Those from the oldest running transaction on are left for later: numbers are not assigned in
   * the order of commits, and no change may be skipped. Each is compared by a value of its own: for a join the planner
   * might sort all changes of the user.
   */
  async after(userId: string, { xid, kind, id }: ChangePosition, limit: number): Promise<Followed> {
    const position = Prisma.sql`(${xid}::text::xid8, ${kind}::text, ${id}::text)`;
    const unfolded = (column: Prisma.Sql) => Prisma.sql`
      SELECT * FROM events WHERE ${column} = ${userId}::uuid AND type IS NULL AND tide < ${HORIZON}
        AND (tide, id) > (
          (SELECT greatest(folded_tide, ${xid}::text::bigint - 1) FROM change_epochs),
          (SELECT folded_id FROM change_epochs))`;
    const rows = await this.prisma.query<Joined[]>`
      WITH fresh AS MATERIALIZED (
        SELECT DISTINCT ON (e.game_id) e.tide::text::xid8 AS xid, 'game'::text COLLATE "C" AS kind,
               e.game_id::text COLLATE "C" AS id, false AS deleted, e.at
        FROM (${unfolded(Prisma.sql`user_id`)} UNION ALL ${unfolded(Prisma.sql`other_id`)}) e
        ORDER BY e.game_id, e.tide DESC
      )
      SELECT now.horizon::text AS horizon, ${EPOCH} AS epoch, c.xid::text AS xid, c.kind, c.id, c.deleted, c.at
      FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS horizon) now LEFT JOIN LATERAL (
        (SELECT xid, kind, id, deleted, at FROM changes s
         WHERE user_id = ${userId}::uuid AND (xid, kind, id) > ${position} AND xid < now.horizon
           AND coalesce((SELECT f.xid <= s.xid FROM fresh f WHERE (f.kind, f.id) = (s.kind, s.id)), true)
         ORDER BY xid, kind, id LIMIT ${limit})
        UNION ALL
        SELECT * FROM fresh f WHERE (xid, kind, id) > ${position} AND coalesce((
          SELECT s.xid < f.xid FROM changes s
          WHERE s.user_id = ${userId}::uuid AND (s.kind, s.id) = (f.kind, f.id)), true)
        ORDER BY xid, kind, id LIMIT ${limit}
      ) c ON true
      ORDER BY c.xid, c.kind, c.id`;
    const { horizon, epoch } = rows[0]!;
    const found = rows.filter((row) => row.xid !== null);
    return {
      rows: found.map(({ xid, kind, id, deleted, at }) => ({ xid, kind, id, deleted, at })),
      horizon,
      epoch,
    };
  }

  /**
   * Folds the next `limit` events into the changes; returns how many there were. Does nothing while another instance
   * folds.
   */
  async fold(limit: number): Promise<number> {
    const [{ folded }] = await this.prisma.query<[{ folded: number }]>`
      WITH mark AS MATERIALIZED (
        SELECT folded_tide, folded_id FROM change_epochs FOR UPDATE SKIP LOCKED
      ), next AS MATERIALIZED (
        SELECT e.* FROM mark CROSS JOIN LATERAL (
          SELECT * FROM events WHERE (tide, id) > (folded_tide, folded_id) AND tide < ${HORIZON}
          ORDER BY tide, id LIMIT ${limit}
        ) e
      ), moved AS (
        UPDATE change_epochs SET (folded_tide, folded_id) = (
          SELECT tide, id FROM next ORDER BY tide DESC, id DESC LIMIT 1)
        WHERE EXISTS (SELECT FROM next)
      ), folding AS MATERIALIZED (
        SELECT fold_events(array_agg(tide), array_agg(owner), array_agg(game_id), array_agg(at))::text AS done
        FROM next CROSS JOIN LATERAL (VALUES (user_id), (other_id)) AS concerned(owner)
        WHERE type IS NULL AND owner IS NOT NULL
      )
      SELECT (SELECT count(*) FROM next)::integer AS folded, done FROM folding`;
    return folded;
  }

  /** The first transaction that may not be committed yet. */
  async now(): Promise<Present> {
    const [now] = await this.prisma.query<[Present]>`
      SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon, ${EPOCH} AS epoch`;
    return now;
  }

  /**
   * Begins a new history after the database was restored elsewhere: its transaction numbers mean nothing there, and
   * rows with future numbers are renumbered.
   */
  async begin(): Promise<void> {
    let last: ChangeKey | undefined = FIRST_KEY;
    while (last !== undefined) last = await this.putBehind(last);
    // Last, so that a killed process repeats it; of several instances one begins the history.
    await this.prisma.db.$executeRaw`
      UPDATE change_epochs SET epoch = gen_random_uuid(), place = place_of_changes()
      WHERE place <> place_of_changes()`;
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
