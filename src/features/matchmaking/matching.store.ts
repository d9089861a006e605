import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { START } from '../ratings/glicko.js';
import type { ChallengeRow } from './challenge.row.js';

/** SQL conditions by which users may play each other: for challenges, the lobby and the pairing of seeks. */

/** A rating as shown to people and compared with ranges: a whole number. */
export const shownRating = (rating: number): number => Math.floor(rating + 0.5);

/** The shown rating of a user in the pool of the challenge `c`, by default the public one, in SQL. */
export const shownRatingOf = (
  userId: Prisma.Sql,
  pool = Prisma.sql`c.ruleset`,
): Prisma.Sql => Prisma.sql`floor(COALESCE(
  (SELECT r.rating FROM ratings r WHERE r.user_id = ${userId} AND r.ruleset = ${pool}),
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

@Injectable()
export class MatchingStore {
  constructor(private readonly prisma: PrismaService) {}

  /** The shown rating of a user in their pool of a challenge, that of their application for a player, and whether it is within the range of the challenge. */
  async ratingFor(
    { id }: ChallengeRow,
    userId: string,
  ): Promise<{ readonly rating: number; readonly isInRange: boolean }> {
    const user = Prisma.sql`${userId}::uuid`;
    const pool = Prisma.sql`(SELECT CASE WHEN p.application_id IS NULL THEN c.ruleset
      ELSE 'application:' || p.application_id || ':' || c.ruleset END FROM users p WHERE p.id = ${user})`;
    const [found] = await this.prisma.query<[{ rating: number; isInRange: boolean }]>`
      SELECT u.rating, ${acceptsRating('c', Prisma.sql`u.rating`)} AS "isInRange"
      FROM challenges c, LATERAL (SELECT ${shownRatingOf(user, pool)} AS rating) u
      WHERE c.id = ${id}::uuid`;
    return found;
  }
}
