import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import { OutboxStore } from '../../platform/outbox.store.js';
import { LogPlaces } from '../transparency/log-places.js';
import type { ChallengeRow } from './challenge.row.js';
import { areWelcome, shownRatingOf, wantsRating } from './matching.store.js';
import type { Pool } from './pairing-order.js';

/** What a partner is sought by. */
export interface Search {
  readonly now: Date;
  /** Running games: whoever has as many begins no other, and is in nobody's way. */
  readonly mostGames: number;
}

/** Which partners are looked for: among these alone, none of these, those made before the seek. */
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
    private readonly outbox: OutboxStore,
    private readonly places: LogPlaces,
  ) {}

  /** Of two seeks the one whose opening stands earlier in the log of all games: that never changes. */
  earlier(one: string, other: string): Promise<string> {
    return this.prisma.transaction((tx) => this.places.earlier(tx, one, other));
  }

  /** The oldest open seek that fits this one, but for those that were tried already; null when none does. */
  async oldestPartner(id: string, search: Search, except: readonly string[]): Promise<string | null> {
    const [pair] = await this.pairs(this.prisma.db, [id], search, { except });
    return pair?.partner ?? null;
  }

  /** Those of these seeks which an older one fits, in their order. */
  async withOlderPartner(ids: readonly string[], search: Search): Promise<readonly string[]> {
    const pairs = await this.pairs(this.prisma.db, ids, search, { older: true });
    const found = new Set(pairs.map(({ seek }) => seek));
    return ids.filter((id) => found.has(id));
  }

  /**
   * The open seeks by their terms, but for those that nobody there can fit, as one look at them all tells: where all
   * are of one user or want the same side, or that want a rating which nobody has.
   */
  pools({ now }: Search): Promise<readonly Pool[]> {
    return this.prisma.db.$queryRaw<Pool[]>`
      WITH rated AS (
        SELECT c.*, ${ratingOf} AS rating FROM challenges c
        WHERE c.kind = 'seek' AND c.status = 'open' AND c.format = 2 AND c.expires_at > ${now}::timestamptz
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
   * Closes two seeks that are open and fit each other, as one game, with what `open` writes; null, and nothing is
   * written, when they do not, or not any more, or one of their makers has given his client seed meanwhile.
   */
  async pair<T>(
    game: ChallengeRow,
    joining: ChallengeRow,
    search: Search,
    open: (tx: Transaction) => Promise<T>,
  ): Promise<T | null> {
    return this.prisma.transaction(async (tx) => {
      const ids = [game.id, joining.id];
      const held = await tx.$queryRaw<{ headHash: string | null }[]>`
        SELECT head_hash AS "headHash" FROM challenges WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`;
      const seen = new Set([game.headHash, joining.headHash]);
      if (!held.every(({ headHash }) => seen.has(headHash))) return null;
      const [fitting] = await this.pairs(tx, [game.id], search, { among: [joining.id] });
      if (fitting === undefined) return null;
      const closed = { status: 'accepted', answeredAt: search.now, gameId: game.id };
      await tx.challenge.update({
        where: { id: game.id },
        data: { ...closed, opponentId: joining.creatorId },
      });
      await tx.challenge.update({
        where: { id: joining.id },
        data: { ...closed, opponentId: game.creatorId },
      });
      await this.outbox.appendSeeks(tx, ids, search.now);
      return open(tx);
    });
  }

  /**
   * For each of these seeks that is open, the oldest open one that fits it: the same terms, another user, each one's
   * rating wanted by the other, no block either way, sides that go together, and room for one more game on either side.
   * One that was opened before format 2 is left to whoever takes it in the lobby.
   */
  private pairs(tx: Transaction, ids: readonly string[], search: Search, choice: Choice): Promise<Pair[]> {
    const { now, mostGames } = search;
    return tx.$queryRaw<Pair[]>`
      WITH a AS MATERIALIZED (
        SELECT c.*, ${ratingOf} AS rating FROM challenges c
        WHERE c.id = ANY(${[...ids]}::uuid[]) AND c.kind = 'seek' AND c.status = 'open' AND c.format = 2
          AND c.expires_at > ${now}::timestamptz AND ${runningOf} < ${mostGames}
      )
      SELECT a.id::text AS seek, b.id::text AS partner FROM a CROSS JOIN LATERAL (
        SELECT found.id FROM unnest(ARRAY['first', 'second', 'any']) s(side) CROSS JOIN LATERAL (
          SELECT c.id, c.created_at FROM challenges c
          WHERE c.kind = 'seek' AND c.status = 'open' AND c.terms_key = a.terms_key AND c.side = s.side
            ${chosen(choice)}
            AND c.expires_at > ${now}::timestamptz
            AND c.creator_id <> a.creator_id
            AND c.format = 2
            AND ${wantsRating('c', Prisma.sql`a.rating`)} AND ${wantsRating('a', ratingOf)}
            AND ${areWelcome(Prisma.sql`a.creator_id`, Prisma.sql`c.creator_id`)}
            AND ${runningOf} < ${mostGames}
          ORDER BY c.created_at, c.id LIMIT 1
        ) found
        WHERE a.side = 'any' OR a.side <> s.side
        ORDER BY found.created_at, found.id LIMIT 1
      ) b`;
  }
}

/** The rating of the creator of the challenge `c` in its pool, as people see it. */
const ratingOf = shownRatingOf(Prisma.sql`c.creator_id`);

/** How many games of the creator of the challenge `c` go on. */
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
