import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { ChangePosition, ChangeRow } from './change.row.js';

/** How things stand in one statement. */
export interface Present {
  /** The transaction before which all are over. */
  readonly horizon: string;
  /** Which history the changes tell; null when the database was restored elsewhere since, and none has begun here. */
  readonly epoch: string | null;
}

/** Some changes in order. */
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
/** So many by one statement, which has seconds: a restored database may have millions. */
const PUT_AT_ONCE = 10_000;

const EPOCH = Prisma.sql`(SELECT epoch::text FROM change_epochs WHERE place = place_of_changes())`;

/** What the triggers of prisma/migrations write down. Nothing else writes it. */
@Injectable()
export class ChangesStore {
  constructor(private readonly prisma: PrismaService) {}

  /**
   * What follows a position among the changes of a user, in order. Those of transactions that still run are left for
   * later, with everything behind them: numbers are given out in another order than commits happen, and none may be
   * skipped.
   */
  async after(userId: string, { xid, kind, id }: ChangePosition, limit: number): Promise<Followed> {
    const rows = await this.prisma.db.$queryRaw<Joined[]>`
      SELECT now.horizon::text AS horizon, ${EPOCH} AS epoch, c.xid::text AS xid, c.kind, c.id, c.deleted, c.at
      FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS horizon) now
      LEFT JOIN LATERAL (
        SELECT * FROM changes
        WHERE user_id = ${userId}::uuid AND (xid, kind, id) > (${xid}::text::xid8, ${kind}::text, ${id}::text)
          AND xid < now.horizon
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

  /** Where those begin that are not committed yet. */
  async now(): Promise<Present> {
    const [now] = await this.prisma.db.$queryRaw<[Present]>`
      SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon, ${EPOCH} AS epoch`;
    return now;
  }

  /**
   * Begins a history where the database was restored elsewhere: its numbers mean nothing there, and those that are
   * ahead of the numbers there are put behind all that comes.
   */
  async begin(): Promise<void> {
    let last: ChangeKey | undefined = FIRST_KEY;
    while (last !== undefined) last = await this.putBehind(last);
    // Last, so that whoever is killed before does it once more; of several instances one begins the history.
    await this.prisma.db.$executeRaw`
      UPDATE change_epochs SET epoch = gen_random_uuid(), place = place_of_changes()
      WHERE place <> place_of_changes()`;
  }

  /** Of some changes behind this key those that are ahead come behind all that comes; the last one looked at. */
  private async putBehind({ userId, kind, id }: ChangeKey): Promise<ChangeKey | undefined> {
    const [last] = await this.prisma.db.$queryRaw<ChangeKey[]>`
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

  /** Forgets up to `limit` tombstones that are older than this; how many. */
  async forget(before: Date, limit: number): Promise<number> {
    return this.prisma.db.$executeRaw`
      DELETE FROM changes WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM changes WHERE deleted AND at < ${before}::timestamptz
        ORDER BY at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
  }
}
