import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import { LogOrder } from '../transparency/log-order.js';
import type { ChallengeRow } from './challenge.row.js';
import { areNotBlocked, shownRatingOf, acceptsRating } from './matching.store.js';
import type { Pool } from './pairing-order.js';

/** The conditions of a search for partners. */
export interface Search {
  readonly now: Date;
  /** A user with this many running games is skipped, and a guest with so many. */
  readonly mostGames: number;
  readonly mostOfGuests: number;
}

/** Restricts the partners: to these, without these, or to those older than the seek. */
interface Choice {
  readonly among?: readonly string[];
  readonly except?: readonly string[];
  readonly older?: boolean;
}

/** Two seeks that fit each other. */
export interface Pair {
  readonly seek: string;
  readonly partner: string;
}

@Injectable()
export class SeeksStore {
  constructor(
    private readonly prisma: PrismaService,
    private readonly logOrder: LogOrder,
  ) {}

  /** Of two seeks the one that comes earlier in the log of all games, which never changes. */
  earlier(one: string, other: string): Promise<string> {
    return this.prisma.transaction((tx) => this.logOrder.earlier(tx, one, other));
  }

  /** The oldest open seek that fits this one, except those already tried; null without one. */
  async oldestPartner(id: string, search: Search, except: readonly string[]): Promise<string | null> {
    const [pair] = await this.pairs(this.prisma.db, [id], search, { except });
    return pair?.partner ?? null;
  }

  /** Those of the given seeks that have an older partner, in their order. */
  async withOlderPartner(ids: readonly string[], search: Search): Promise<readonly string[]> {
    const pairs = await this.pairs(this.prisma.db, ids, search, { older: true });
    const found = new Set(pairs.map(({ seek }) => seek));
    return ids.filter((id) => found.has(id));
  }

  /**
   * The open seeks by their terms, without those that cannot have a partner: all of one user, all with the same side, or
   * with a rating range that no one in the pool meets.
   */
  pools({ now }: Search): Promise<readonly Pool[]> {
    return this.prisma.query<Pool[]>`
      WITH rated AS (
        SELECT c.*, ${ratingOf} AS rating FROM challenges c
        WHERE c.kind = 'seek' AND c.status = 'open' AND c.expires_at > ${now}::timestamptz
      ), ranged AS (
        SELECT *, min(rating) OVER pool AS lowest, max(rating) OVER pool AS highest FROM rated
        WINDOW pool AS (PARTITION BY terms_key)
      )
      SELECT terms_key AS "termsKey", array_agg(id::text ORDER BY id) AS seeks FROM ranged
      WHERE (min_rating IS NULL OR min_rating <= highest) AND (max_rating IS NULL OR max_rating >= lowest)
      GROUP BY terms_key
      HAVING count(DISTINCT creator_id) > 1 AND bool_or(side <> 'first') AND bool_or(side <> 'second')
      ORDER BY terms_key`;
  }

  /**
   * Closes two open seeks that fit each other as one game, and calls `open` in the same transaction. Writes nothing and
   * returns null if they no longer fit, or if a creator has given a client seed since they were read. Calls `search` once
   * they are locked: a seek may expire while another transaction holds it.
   */
  async pair<T>(
    game: ChallengeRow,
    joining: ChallengeRow,
    search: () => Search,
    open: (tx: Transaction) => Promise<T>,
  ): Promise<T | null> {
    return this.prisma.transaction(async (tx) => {
      const ids = [game.id, joining.id];
      const held = await tx.$queryRaw<{ headHash: string }[]>`
        SELECT head_hash AS "headHash" FROM challenges WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`;
      const seen = new Set([game.headHash, joining.headHash]);
      if (!held.every(({ headHash }) => seen.has(headHash))) return null;
      const asked = search();
      const [fitting] = await this.pairs(tx, [game.id], asked, { among: [joining.id] });
      if (fitting === undefined) return null;
      const closed = { status: 'accepted', answeredAt: asked.now, gameId: game.id };
      await tx.challenge.update({
        where: { id: game.id },
        data: { ...closed, opponentId: joining.creatorId },
      });
      await tx.challenge.update({
        where: { id: joining.id },
        data: { ...closed, opponentId: game.creatorId },
      });
      return open(tx);
    });
  }

  /**
   * For each open seek given, the oldest open one that fits: the same terms, another user, each rating within the other's
   * range, no block either way, compatible sides, and both users below the limit of running games.
   */
  private pairs(tx: Transaction, ids: readonly string[], search: Search, choice: Choice): Promise<Pair[]> {
    const { now, mostGames, mostOfGuests } = search;
    const most = Prisma.sql`CASE WHEN ${isGuest} THEN ${mostOfGuests}::integer ELSE ${mostGames}::integer END`;
    return tx.$queryRaw<Pair[]>`
      WITH a AS MATERIALIZED (
        SELECT c.*, ${ratingOf} AS rating, ${isGuest} AS is_guest FROM challenges c
        WHERE c.id = ANY(${[...ids]}::uuid[]) AND c.kind = 'seek' AND c.status = 'open'
          AND c.expires_at > ${now}::timestamptz AND ${runningOf} < ${most}
      )
      SELECT a.id::text AS seek, b.id::text AS partner FROM a CROSS JOIN LATERAL (
        SELECT found.id FROM unnest(ARRAY['first', 'second', 'any']) s(side) CROSS JOIN LATERAL (
          SELECT c.id, c.created_at FROM challenges c
          WHERE c.kind = 'seek' AND c.status = 'open' AND c.terms_key = a.terms_key AND c.side = s.side
            ${chosen(choice)}
            AND c.expires_at > ${now}::timestamptz
            AND c.creator_id <> a.creator_id
            AND ${acceptsRating('c', Prisma.sql`a.rating`)} AND ${acceptsRating('a', ratingOf)}
            AND ${areNotBlocked(Prisma.sql`a.creator_id`, Prisma.sql`c.creator_id`)}
            AND NOT (c.persons_only AND a.is_guest) AND NOT (a.persons_only AND ${isGuest})
            AND ${runningOf} < ${most}
          ORDER BY c.created_at, c.id LIMIT 1
        ) found
        WHERE a.side = 'any' OR a.side <> s.side
        ORDER BY found.created_at, found.id LIMIT 1
      ) b`;
  }
}

/** The shown rating of the creator of the challenge `c` in its pool. */
const ratingOf = shownRatingOf(Prisma.sql`c.creator_id`);

/** Whether the creator of the challenge `c` is a guest. */
const isGuest = Prisma.sql`EXISTS (SELECT FROM users u WHERE u.id = c.creator_id AND u.kind = 'guest')`;

/** The number of running games of the creator of the challenge `c`. */
const runningOf = Prisma.sql`(
  (SELECT count(*) FROM games g WHERE g.first_id = c.creator_id AND g.ended_at IS NULL)
  + (SELECT count(*) FROM games g WHERE g.second_id = c.creator_id AND g.ended_at IS NULL))`;

function chosen({ among, except = [], older = false }: Choice): Prisma.Sql {
  const parts = [
    among === undefined ? Prisma.empty : Prisma.sql`AND c.id = ANY(${[...among]}::uuid[])`,
    except.length === 0 ? Prisma.empty : Prisma.sql`AND c.id <> ALL(${[...except]}::uuid[])`,
    older ? Prisma.sql`AND (c.created_at, c.id) < (a.created_at, a.id)` : Prisma.empty,
  ];
  return Prisma.join(parts, ' ');
}
