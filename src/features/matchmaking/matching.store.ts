import { Prisma } from '../../generated/prisma/client.js';
import { START } from '../ratings/glicko.js';

/** SQL conditions by which users may play each other: for challenges, the lobby and the pairing of seeks. */

/** A rating as shown to people and compared with ranges: a whole number. */
export const shownRating = (rating: number): number => Math.floor(rating + 0.5);

/** The shown rating of a user in the public pool of the challenge `c`, in SQL. */
export const shownRatingOf = (userId: Prisma.Sql): Prisma.Sql => Prisma.sql`floor(COALESCE(
  (SELECT r.rating FROM ratings r WHERE r.user_id = ${userId} AND r.ruleset = c.ruleset),
  ${START.rating}::double precision) + 0.5)`;

/** True if neither of two users blocks the other. */
export const areNotBlocked = (one: Prisma.Sql, other: Prisma.Sql): Prisma.Sql => Prisma.sql`(
  NOT EXISTS (SELECT 1 FROM blocks WHERE blocker_id = ${one} AND blocked_id = ${other})
  AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker_id = ${other} AND blocked_id = ${one}))`;

/** True if the rating is within the range of the challenge. */
export const acceptsRating = (challenge: 'a' | 'c', rating: Prisma.Sql): Prisma.Sql => {
  const [min, max] = [Prisma.raw(`${challenge}.min_rating`), Prisma.raw(`${challenge}.max_rating`)];
  return Prisma.sql`((${min} IS NULL OR ${rating} >= ${min}) AND (${max} IS NULL OR ${rating} <= ${max}))`;
};
