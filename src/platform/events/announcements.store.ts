import { Injectable } from '@nestjs/common';
import { PrismaService } from '../database/prisma.service.js';

/** The position of a reader of the event log. */
export interface LogPosition {
  readonly tide: bigint;
  readonly id: bigint;
}

/** A row of the event log, as far as it is announced. */
export interface LoggedChange extends LogPosition {
  readonly userId: string;
  readonly otherId: string | null;
  /** The game that has changed, and its version after it; null if it is something else. */
  readonly gameId: string | null;
  readonly version: number | null;
  /** The seek that was opened or closed; null if it is something else. */
  readonly announcedSeek: string | null;
  /** Whether it was opened. */
  readonly isOpening: boolean;
}

const MOST_AT_ONCE = 1000;

/** Reads the log of events, whoever they concern. */
@Injectable()
export class AnnouncementsStore {
  constructor(private readonly prisma: PrismaService) {}

  /** The current end of the log. */
  async end(): Promise<LogPosition> {
    const [now] = await this.prisma.query<[{ tide: bigint }]>`
      SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS tide`;
    return { tide: now.tide, id: 0n };
  }

  /**
   * The rows after a position, in order. Rows from the oldest running transaction on are left for later: numbers are
   * not assigned in the order of commits, and no row may be skipped.
   */
  after({ tide, id }: LogPosition): Promise<readonly LoggedChange[]> {
    return this.prisma.query<LoggedChange[]>`
      SELECT e.tide, e.id, e.user_id::text AS "userId", e.other_id::text AS "otherId",
             CASE WHEN e.type IS NULL AND e.steps > 0 THEN e.game_id END::text AS "gameId", e.version,
             c.id::text AS "announcedSeek", coalesce(e.type = 'challengeCreated', false) AS "isOpening"
      FROM (
        SELECT * FROM events
        WHERE (tide, id) > (${tide}::bigint, ${id}::bigint)
          AND tide < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
        ORDER BY tide, id LIMIT ${MOST_AT_ONCE}
      ) e
      LEFT JOIN challenges c ON c.kind = 'seek' AND c.id = CASE
        WHEN e.type IN ('challengeCreated', 'challengeAccepted', 'challengeCancelled', 'challengeExpired')
        THEN e.subject::uuid END
      ORDER BY e.tide, e.id`;
  }
}
