import { Prisma } from '../../generated/prisma/client.js';
import type { PrismaService, Sql } from '../database/prisma.service.js';
import { START, type Landmark } from './landmark.js';

/** All transactions before this one have ended. Rows from it on are read later, so that none is skipped. */
export const HORIZON = Prisma.sql`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

/**
 * Whether everybody may know a row of the log: a change of a game, or of a rating by it, unless the game is an
 * application's. The words are those of the index.
 */
export const IS_PUBLIC = Prisma.sql`(application_id IS NULL AND coalesce(type, 'ratingChanged') = 'ratingChanged' AND steps IS DISTINCT FROM 0)`;

/** Whether an event is still there, as an expression. */
export const stands = ({ tide, id, mark }: Landmark): Sql => Prisma.sql`(${tide}::bigint = 0 OR EXISTS (
  SELECT FROM events WHERE tide = ${tide}::bigint AND id = ${id}::bigint AND mark = ${mark}::bigint AND tide < ${HORIZON}))`;

/** The last event before the horizon, of whatever user, as a statement. */
export const LAST = Prisma.sql`SELECT tide, id, mark FROM events WHERE tide < ${HORIZON} ORDER BY tide DESC, id DESC LIMIT 1`;

/** The end of the log. */
export async function lastLandmark(prisma: PrismaService): Promise<Landmark> {
  const [last = START] = await prisma.query<Landmark[]>(LAST);
  return last;
}
