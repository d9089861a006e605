import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { START } from '../ratings/glicko.js';
import type { ChallengeRow } from './challenge.row.js';

/** Who fits whom, by rating and by blocks: for single challenges, for the lobby and for pairs of seeks. */

/** A rating as people see it and as ranges are about it: a whole number. */
export const shownRating = (rating: number): number => Math.floor(rating + 0.5);

/** The same in SQL, of the user with this id in the pool of the challenge `c`. */
export const shownRatingOf = (userId: Prisma.Sql): Prisma.Sql => Prisma.sql`floor(COALESCE(
  (SELECT r.rating FROM ratings r WHERE r.user_id = ${userId} AND r.ruleset = c.ruleset),
  ${START.rating}::double precision) + 0.5)`;

/** Does neither of two users block the other? */
export const areWelcome = (one: Prisma.Sql, other: Prisma.Sql): Prisma.Sql => Prisma.sql`(
  NOT EXISTS (SELECT 1 FROM blocks WHERE blocker_id = ${one} AND blocked_id = ${other})
  AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker_id = ${other} AND blocked_id = ${one}))`;

/** Does this challenge want an opponent with this rating? */
export const wantsRating = (challenge: 'a' | 'c', rating: Prisma.Sql): Prisma.Sql => {
  const [min, max] = [Prisma.raw(`${challenge}.min_rating`), Prisma.raw(`${challenge}.max_rating`)];
  return Prisma.sql`((${min} IS NULL OR ${rating} >= ${min}) AND (${max} IS NULL OR ${rating} <= ${max}))`;
};

@Injectable()
export class MatchingStore {
  constructor(private readonly prisma: PrismaService) {}

  /** The rating of a user in the pool of a challenge, as people see it, and whether the challenge wants it. */
  async ratingFor(
    { id }: ChallengeRow,
    userId: string,
  ): Promise<{ readonly rating: number; readonly isWanted: boolean }> {
    const [found] = await this.prisma.db.$queryRaw<[{ rating: number; isWanted: boolean }]>`
      SELECT u.rating, ${wantsRating('c', Prisma.sql`u.rating`)} AS "isWanted"
      FROM challenges c, LATERAL (SELECT ${shownRatingOf(Prisma.sql`${userId}::uuid`)} AS rating) u
      WHERE c.id = ${id}::uuid`;
    return found;
  }
}
