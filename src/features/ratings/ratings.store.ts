import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService, type Sql, type Transaction } from '../../platform/database/prisma.service.js';
import type { Range } from '../../platform/contract/page.js';
import type { JsonUser } from '../users/users.service.js';
import { GROWTH, PROVISIONAL_DEVIATION } from './glicko.js';
import type { ChangeRow, RatingKey, RatingRow } from './rating.row.js';
import { firstRow, type Results } from './results.js';

/** The sort keys of the player after whom a leaderboard continues. */
export interface LeaderKey {
  readonly rating: number;
  readonly userId: string;
}

/** The number of players with a rating from `from` up to the next step. */
export interface Bin {
  readonly from: number;
  readonly players: number;
  readonly provisional: number;
}

export interface Leader extends RatingRow {
  readonly user: JsonUser;
}

const COLUMNS = Prisma.sql`r.user_id::text AS "userId", r.ruleset, r.rating, r.deviation, r.volatility, r.games, r.wins,
  r.draws, r.losses, r.rated_at AS "ratedAt", r.listed_until AS "listedUntil"`;

@Injectable()
export class RatingsStore {
  constructor(private readonly prisma: PrismaService) {}

  /** The ratings of users in one pool, without users that have no rated game there. */
  of(userIds: readonly string[], ruleset: string, tx: Transaction = this.prisma.db): Promise<RatingRow[]> {
    return tx.rating.findMany({ where: { userId: { in: [...userIds] }, ruleset } });
  }

  /** All ratings of these users, unordered. */
  inAllPools(userIds: readonly string[]): Promise<RatingRow[]> {
    return this.prisma.db.rating.findMany({ where: { userId: { in: [...userIds] } } });
  }

  /**
   * Locks the ratings with these keys until the transaction ends, creating missing ones. Always in the order of keys, so
   * that concurrent transactions cannot deadlock.
   */
  async lock(tx: Transaction, keys: readonly RatingKey[]): Promise<RatingRow[]> {
    const [users, rulesets] = [keys.map(({ userId }) => userId), keys.map(({ ruleset }) => ruleset)];
    const start = firstRow({ userId: '', ruleset: '' });
    await tx.$executeRaw`
      INSERT INTO ratings (user_id, ruleset, rating, deviation, volatility, games, wins, draws, losses, rated_at)
      SELECT user_id, ruleset, ${start.rating}::double precision, ${start.deviation}::double precision,
             ${start.volatility}::double precision, 0, 0, 0, 0, ${start.ratedAt}::timestamptz
      FROM unnest(${users}::uuid[], ${rulesets}::text[]) AS k(user_id, ruleset)
      ORDER BY user_id, ruleset
      ON CONFLICT (user_id, ruleset) DO NOTHING`;
    return tx.$queryRaw<RatingRow[]>`
      SELECT ${COLUMNS}
      FROM unnest(${users}::uuid[], ${rulesets}::text[]) AS k(user_id, ruleset)
      JOIN ratings r ON r.user_id = k.user_id AND r.ruleset = k.ruleset
      ORDER BY r.user_id, r.ruleset
      FOR UPDATE OF r`;
  }

  /** Writes locked ratings and their changes in one statement. */
  async save(tx: Transaction, { ratings, changes }: Results): Promise<void> {
    // Send numbers as text to keep every digit, and as arrays, whose length lets the planner use the index.
    const column = (name: keyof RatingRow) => ratings.map((row) => textOf(row[name]));
    await tx.$executeRaw`
      WITH changed AS (
        INSERT INTO rating_changes (game_id, player, user_id, ruleset, number, rating_before, deviation_before,
                                    volatility_before, rating, deviation, volatility, at)
        SELECT c."gameId", c.player, c."userId", c.ruleset, c.number, c."ratingBefore", c."deviationBefore",
               c."volatilityBefore", c.rating, c.deviation, c.volatility, c.at
        FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS c(
          "gameId" uuid, player text, "userId" uuid, ruleset text, number integer, "ratingBefore" double precision,
          "deviationBefore" double precision, "volatilityBefore" double precision, rating double precision,
          deviation double precision, volatility double precision, at timestamptz)
      )
      UPDATE ratings r SET
        rating = n.rating, deviation = n.deviation, volatility = n.volatility, games = n.games, wins = n.wins,
        draws = n.draws, losses = n.losses, rated_at = n.rated_at, listed_until = n.listed_until
      FROM unnest(
        ${column('userId')}::uuid[], ${column('ruleset')}::text[], ${column('rating')}::double precision[],
        ${column('deviation')}::double precision[], ${column('volatility')}::double precision[],
        ${column('games')}::integer[], ${column('wins')}::integer[], ${column('draws')}::integer[],
        ${column('losses')}::integer[], ${column('ratedAt')}::timestamptz[], ${column('listedUntil')}::timestamptz[]
      ) AS n(user_id, ruleset, rating, deviation, volatility, games, wins, draws, losses, rated_at, listed_until)
      WHERE r.user_id = n.user_id AND r.ruleset = n.ruleset`;
  }

  /** The changes by these games, unordered. */
  async changesOf(gameIds: readonly string[]): Promise<readonly ChangeRow[]> {
    const rows = await this.prisma.db.ratingChange.findMany({ where: { gameId: { in: [...gameIds] } } });
    return rows as ChangeRow[];
  }

  /** A user's changes in a pool, ordered by number. */
  async history(
    userId: string,
    ruleset: string,
    { after, before, limit, fromEnd }: Range<number>,
  ): Promise<readonly ChangeRow[]> {
    const range = {
      ...(after === undefined ? {} : { gt: after }),
      ...(before === undefined ? {} : { lt: before }),
    };
    const rows = await this.prisma.db.ratingChange.findMany({
      where: { userId, ruleset, number: range },
      orderBy: { number: fromEnd ? 'desc' : 'asc' },
      take: limit,
    });
    return (fromEnd ? rows.reverse() : rows) as ChangeRow[];
  }

  /** The players on a leaderboard now, the highest rating first; `user` is the user `u` as a value. */
  leaders(
    ruleset: string,
    now: Date,
    after: LeaderKey | null,
    limit: number,
    user: Sql,
  ): Promise<readonly Leader[]> {
    const behind =
      after === null
        ? Prisma.empty
        : Prisma.sql`AND r.rating <= ${after.rating}::double precision
            AND (r.rating < ${after.rating}::double precision OR r.user_id > ${after.userId}::uuid)`;
    // Hide closed accounts at once: deleting their ratings may take a moment.
    return this.prisma.query<Leader[]>`
      SELECT ${COLUMNS}, ${user} AS user FROM ratings r JOIN users u ON u.id = r.user_id
      WHERE r.ruleset = ${ruleset} AND r.listed_until > ${now}::timestamptz AND u.closed_at IS NULL ${behind}
      ORDER BY r.rating DESC, r.user_id LIMIT ${limit}`;
  }

  /** Removes up to `limit` players whose time on the leaderboards is over; returns how many. */
  async unlist(now: Date, limit: number): Promise<number> {
    return this.prisma.db.$executeRaw`
      UPDATE ratings SET listed_until = NULL WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ratings WHERE listed_until <= ${now}::timestamptz
        ORDER BY listed_until LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
  }

  /** The numbers of players by steps of this size, the lowest rating first, without empty steps. */
  distribution(ruleset: string, step: number, now: Date): Promise<Bin[]> {
    return this.prisma.query<Bin[]>`
      SELECT (floor(rating / ${step}::integer) * ${step}::integer)::integer AS "from",
             count(*)::integer AS players,
             count(*) FILTER (WHERE deviation ^ 2
               + ${GROWTH}::double precision * greatest(0, extract(epoch FROM ${now}::timestamptz - rated_at)) / 86400
               > ${PROVISIONAL_DEVIATION}::double precision ^ 2)::integer AS provisional
      FROM ratings WHERE ruleset = ${ruleset}
      GROUP BY 1 ORDER BY 1`;
  }
}

function textOf(value: RatingRow[keyof RatingRow]): string | null {
  if (value instanceof Date) return value.toISOString();
  return value === null ? null : String(value);
}
