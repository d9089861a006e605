import { Injectable } from '@nestjs/common';
import type { TimeControl } from '../../arbiter/time-control.js';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Principal } from '../auth/principal.js';
import type { ChallengeRow } from './challenge.row.js';
import { areNotBlocked, shownRatingOf, acceptsRating } from './matching.store.js';

/** The sort keys of the seek after which the lobby continues. */
export type LobbyKey = Pick<ChallengeRow, 'createdAt' | 'id'>;

/** The filter of seeks; null means any. */
export interface LobbyCriteria {
  readonly ruleset: string | null;
  readonly rated: boolean | null;
  readonly timeControl: TimeControl['type'] | null;
  /** The longest time for the first turn. */
  readonly maxSeconds: number | null;
  /** True for seeks that the viewer may accept. */
  readonly acceptable: boolean;
}

/** Seeks in order, and where the scan stopped early; null if it found enough or reached the end. */
export interface Found {
  readonly keys: readonly LobbyKey[];
  readonly stoppedAt: LobbyKey | null;
}

const MOST_SCANNED = 2000;

@Injectable()
export class LobbyStore {
  constructor(private readonly prisma: PrismaService) {}

  /**
   * Open seeks, newest first, behind the key `after`, without those of users who block the viewer or are blocked by them.
   * Scans at most MOST_SCANNED rows, even if few of them match.
   */
  async page(
    viewer: Pick<Principal, 'userId' | 'kind'> | null,
    criteria: LobbyCriteria,
    now: Date,
    after: LobbyKey | null,
    limit: number,
  ): Promise<Found> {
    const behind =
      after === null
        ? Prisma.empty
        : Prisma.sql`AND (created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`;
    const rows = await this.prisma.query<(LobbyKey & { readonly isEnd: boolean })[]>`
      WITH scanned AS MATERIALIZED (
        SELECT * FROM challenges WHERE kind = 'seek' AND status = 'open' ${behind}
        ORDER BY created_at DESC, id DESC LIMIT ${MOST_SCANNED}
      ), found AS (
        SELECT c.id, c.created_at FROM scanned c
        WHERE c.expires_at > ${now}::timestamptz ${conditions(criteria)} ${forViewer(viewer, criteria)}
        ORDER BY c.created_at DESC, c.id DESC LIMIT ${limit}
      )
      SELECT id::text AS id, created_at AS "createdAt", false AS "isEnd" FROM found
      UNION ALL
      SELECT id::text, created_at, true FROM (
        SELECT id, created_at FROM scanned ORDER BY created_at, id LIMIT 1
      ) last WHERE (SELECT count(*) FROM scanned) = ${MOST_SCANNED} AND (SELECT count(*) FROM found) < ${limit}
      ORDER BY "isEnd", "createdAt" DESC, id DESC`;
    return {
      keys: rows.filter(({ isEnd }) => !isEnd),
      stoppedAt: rows.find(({ isEnd }) => isEnd) ?? null,
    };
  }
}

function conditions({ ruleset, rated, timeControl, maxSeconds }: LobbyCriteria): Prisma.Sql {
  const seconds = Prisma.sql`COALESCE(c.time_control->>'seconds', c.time_control->>'initial')::integer`;
  const parts = [
    ruleset === null ? Prisma.empty : Prisma.sql`AND c.ruleset = ${ruleset}`,
    rated === null ? Prisma.empty : Prisma.sql`AND c.rated = ${rated}`,
    timeControl === null ? Prisma.empty : Prisma.sql`AND c.time_control->>'type' = ${timeControl}`,
    maxSeconds === null ? Prisma.empty : Prisma.sql`AND ${seconds} <= ${maxSeconds}`,
  ];
  return Prisma.join(parts, ' ');
}

function forViewer(
  viewer: Pick<Principal, 'userId' | 'kind'> | null,
  { acceptable }: LobbyCriteria,
): Prisma.Sql {
  if (viewer === null) return Prisma.empty;
  const id = Prisma.sql`${viewer.userId}::uuid`;
  // As assertWelcome.
  const forGuest =
    viewer.kind === 'guest' ? Prisma.sql`AND NOT c.rated AND NOT c.persons_only` : Prisma.empty;
  const fits = Prisma.sql`AND c.creator_id <> ${id} AND ${acceptsRating('c', shownRatingOf(id))} ${forGuest}`;
  return Prisma.sql`AND ${areNotBlocked(id, Prisma.sql`c.creator_id`)} ${acceptable ? fits : Prisma.empty}`;
}
