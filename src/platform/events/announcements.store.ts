import { Injectable } from '@nestjs/common';
import { PrismaService } from '../database/prisma.service.js';
import type { Landmark } from './landmark.js';
import { HORIZON, IS_PUBLIC, lastLandmark, stands } from './landmarks.store.js';

/** A row of the event log, as far as it is announced. */
export interface LoggedChange extends Landmark {
  readonly userId: string;
  readonly otherId: string | null;
  readonly applicationId: string | null;
  /** The game that has changed, and its version after it; null if it is something else. */
  readonly gameId: string | null;
  readonly version: number | null;
  /** The seek that was opened or closed; null if it is something else. */
  readonly announcedSeek: string | null;
  /** Whether everybody may know it. */
  readonly isPublic: boolean;
  /** Whether it was opened. */
  readonly isOpening: boolean;
}

type Joined = { readonly stands: boolean } & (LoggedChange | { readonly id: null });

export const MOST_AT_ONCE = 1000;

/** Reads the log of events, whoever they concern. */
@Injectable()
export class AnnouncementsStore {
  constructor(private readonly prisma: PrismaService) {}

  /** The current end of the log. */
  end(): Promise<Landmark> {
    return lastLandmark(this.prisma);
  }

  /** The rows after a position, in order; null if the event there is lost. */
  async after(position: Landmark): Promise<readonly LoggedChange[] | null> {
    const rows = await this.prisma.query<Joined[]>`
      SELECT now.stands, e.tide, e.id, e.mark, e.user_id::text AS "userId", e.other_id::text AS "otherId",
             e.application_id::text AS "applicationId",
             CASE WHEN e.type IS NULL AND e.steps > 0 THEN e.game_id END::text AS "gameId", e.version,
             e.is_public AS "isPublic",
             c.id::text AS "announcedSeek", coalesce(e.type = 'challengeCreated', false) AS "isOpening"
      FROM (SELECT ${stands(position)} AS stands) now
      LEFT JOIN LATERAL (
        SELECT *, ${IS_PUBLIC} AS is_public FROM events
        WHERE (tide, id) > (${position.tide}::bigint, ${position.id}::bigint) AND tide < ${HORIZON}
        ORDER BY tide, id LIMIT ${MOST_AT_ONCE}
      ) e ON true
      LEFT JOIN challenges c ON c.kind = 'seek' AND c.id = CASE
        WHEN e.type IN ('challengeCreated', 'challengeAccepted', 'challengeCancelled', 'challengeExpired')
        THEN e.subject::uuid END
      ORDER BY e.tide, e.id`;
    return rows[0]!.stands ? rows.filter((row): row is Joined & LoggedChange => row.id !== null) : null;
  }
}
