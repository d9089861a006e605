import { Injectable } from '@nestjs/common';
import type { TimeControl } from '../../arbiter/time-control.js';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { ChallengeRow } from './challenge.row.js';
import { areWelcome, shownRatingOf, wantsRating } from './matching.store.js';

/** Where the lobby goes on: behind the seek with these sort keys. */
export type LobbyKey = Pick<ChallengeRow, 'createdAt' | 'id'>;

/** Which seeks; what is null does not matter. */
export interface Wanted {
  readonly ruleset: string | null;
  readonly rated: boolean | null;
  readonly timeControl: TimeControl['type'] | null;
  /** Of a first turn. */
  readonly maxSeconds: number | null;
  /** Only those that this user may take. */
  readonly acceptable: boolean;
}

/** Seeks in their order, and where the walk ended before it had found enough; null when it saw all or found enough. */
export interface Found {
  readonly keys: readonly LobbyKey[];
  readonly stoppedAt: LobbyKey | null;
}

const WALKED_AT_ONCE = 2000;

@Injectable()
export class LobbyStore {
  constructor(private readonly prisma: PrismaService) {}

  /**
   * Open seeks, newest first, behind the key `after`; without those of users who block the viewer or are blocked by
   * him. It looks at so many at a time and no more, however few of them are wanted.
   */
  async page(
    viewerId: string | null,
    wanted: Wanted,
    now: Date,
    after: LobbyKey | null,
    limit: number,
  ): Promise<Found> {
    const behind =
      after === null
        ? Prisma.empty
        : Prisma.sql`AND (created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`;
    const rows = await this.prisma.db.$queryRaw<(LobbyKey & { readonly isEnd: boolean })[]>`
      WITH walked AS MATERIALIZED (
        SELECT * FROM challenges WHERE kind = 'seek' AND status = 'open' ${behind}
        ORDER BY created_at DESC, id DESC LIMIT ${WALKED_AT_ONCE}
      ), found AS (
        SELECT c.id, c.created_at FROM walked c
        WHERE c.expires_at > ${now}::timestamptz ${conditions(wanted)} ${forViewer(viewerId, wanted)}
        ORDER BY c.created_at DESC, c.id DESC LIMIT ${limit}
      )
      SELECT id::text AS id, created_at AS "createdAt", false AS "isEnd" FROM found
      UNION ALL
      SELECT id::text, created_at, true FROM (
        SELECT id, created_at FROM walked ORDER BY created_at, id LIMIT 1
      ) last WHERE (SELECT count(*) FROM walked) = ${WALKED_AT_ONCE} AND (SELECT count(*) FROM found) < ${limit}
      ORDER BY "isEnd", "createdAt" DESC, id DESC`;
    return {
      keys: rows.filter(({ isEnd }) => !isEnd),
      stoppedAt: rows.find(({ isEnd }) => isEnd) ?? null,
    };
  }
}

function conditions({ ruleset, rated, timeControl, maxSeconds }: Wanted): Prisma.Sql {
  const seconds = Prisma.sql`COALESCE(c.time_control->>'seconds', c.time_control->>'initial')::integer`;
  const parts = [
    ruleset === null ? Prisma.empty : Prisma.sql`AND c.ruleset = ${ruleset}`,
    rated === null ? Prisma.empty : Prisma.sql`AND c.rated = ${rated}`,
    timeControl === null ? Prisma.empty : Prisma.sql`AND c.time_control->>'type' = ${timeControl}`,
    maxSeconds === null ? Prisma.empty : Prisma.sql`AND ${seconds} <= ${maxSeconds}`,
  ];
  return Prisma.join(parts, ' ');
}

function forViewer(viewerId: string | null, { acceptable }: Wanted): Prisma.Sql {
  if (viewerId === null) return Prisma.empty;
  const id = Prisma.sql`${viewerId}::uuid`;
  const fits = Prisma.sql`AND c.creator_id <> ${id} AND ${wantsRating('c', shownRatingOf(id))}`;
  return Prisma.sql`AND ${areWelcome(id, Prisma.sql`c.creator_id`)} ${acceptable ? fits : Prisma.empty}`;
}
