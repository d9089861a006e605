import { shown } from '../../rules/shown.js';
import { Injectable } from '@nestjs/common';
import { Cursors } from '../../platform/contract/cursors.js';
import { orThrow, DomainError } from '../../platform/errors/errors.js';
import { pageOf, type PageRequest, MAX_PAGE_SIZE, DEFAULT_PAGE_SIZE } from '../../platform/contract/page.js';
import { Time } from '../../platform/process/time.js';
import type { User } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import { Distributions } from './distributions.js';
import { expectedScore } from './glicko.js';
import { anyPoolById, poolById, poolOf, POOLS } from './pools.js';
import { standingOf, type ChangeRow, type Standing } from './rating.row.js';
import type * as model from './ratings.model.js';
import { RatingsService } from './ratings.service.js';
import { RatingsStore, type Leader, type LeaderKey } from './ratings.store.js';

/** A row of a leaderboard, with its rank and the number of rows before it. */
interface Placed {
  readonly row: Leader;
  readonly before: number;
  readonly rank: number;
}

/** The row after which a leaderboard continues. */
type Place = LeaderKey & Pick<Placed, 'before' | 'rank'>;

/** Builds the responses about ratings, for both transports. */
@Injectable()
export class RatingsView {
  constructor(
    private readonly ratings: RatingsService,
    private readonly store: RatingsStore,
    private readonly distributions: Distributions,
    private readonly users: UsersService,
    private readonly cursors: Cursors,
    private readonly time: Time,
  ) {}

  /** A user's ratings in all pools with a rated game. */
  async ofUser({ id }: Pick<User, 'id'>): Promise<readonly model.Rating[]> {
    return (await this.ratings.ofUser(id)).map(ratingOf);
  }

  async ofName(username: string): Promise<readonly model.Rating[]> {
    return this.ofUser(await this.users.profile(username, 'username'));
  }

  /** Throws NOT_FOUND. */
  async ofUserIn({ id }: Pick<User, 'id'>, pool: string): Promise<model.Rating> {
    return ratingOf(await this.ratings.ofUserIn(id, known(pool, anyPoolById)));
  }

  /** A page of a rating history, from either end; throws NOT_FOUND, BAD_INPUT, INVALID_CURSOR. */
  async history(username: string, poolId: string, page: PageRequest): Promise<model.RatingHistoryConnection> {
    const pool = known(poolId, anyPoolById);
    return this.historyOf(await this.users.profile(username, 'username'), pool, page);
  }

  /** The same of a user or a player who is known, in a pool of theirs. */
  historyOf(
    { id }: Pick<User, 'id'>,
    pool: string,
    page: PageRequest,
  ): Promise<model.RatingHistoryConnection> {
    return pageOf(page, {
      cursors: this.cursors.of<number>('ratings', id, pool),
      size: MAX_PAGE_SIZE,
      read: (range) => this.store.history(id, pool, range),
      key: ({ number }) => number,
      node: pointOf,
    });
  }

  /** A page of a leaderboard; throws NOT_FOUND, BAD_INPUT, INVALID_CURSOR. */
  async leaderboard(poolId: string, page: PageRequest): Promise<model.LeaderboardConnection> {
    const pool = known(poolId);
    const now = this.time.now();
    return pageOf(page, {
      cursors: this.cursors.of<Place>('leaders', pool),
      size: DEFAULT_PAGE_SIZE,
      read: async ({ after = null, limit }) =>
        placed(await this.store.leaders(pool, now, after, limit, this.users.asJson), after),
      key: ({ row: { rating, userId }, before, rank }) => ({ rating, userId, before, rank }),
      node: ({ row: { user, ...row }, rank }) => ({
        rank,
        // Players of applications are in none of these pools.
        user: this.users.ofJson(user) as User,
        rating: ratingOf(standingOf(row, now)),
      }),
    });
  }

  /** Throws NOT_FOUND. */
  async distribution(poolId: string): Promise<model.RatingDistribution> {
    const pool = known(poolId);
    return { pool: poolById(pool)!, ...(await this.distributions.of(pool)) };
  }

  /** The expected score of `a` against `b` by their current ratings; throws NOT_FOUND. */
  async expectedScore(poolId: string, a: string, b: string): Promise<model.ExpectedScore> {
    const pool = known(poolId);
    const [one, other] = [await this.users.profile(a, 'a'), await this.users.profile(b, 'b')];
    const standings = await this.ratings.of([one.id, other.id], pool);
    const [first, second] = [standings.get(one.id)!, standings.get(other.id)!];
    const score = Math.round(expectedScore(first, second) * 10_000) / 10_000;
    return { score, a: ratingOf(first), b: ratingOf(second) };
  }

  /** The changes of the players' ratings by a game; null if it was not rated. */
  async changes(gameId: string): Promise<model.RatingChanges | null> {
    const rows = await this.ratings.changesOf(gameId);
    if (rows === null) return null;
    const of = (player: ChangeRow['player']) => changeOf(rows.find((row) => row.player === player)!);
    return { first: of('first'), second: of('second') };
  }
}

/** The id of an existing pool. Throws NOT_FOUND. */
const known = (id: string, find = poolById): string =>
  orThrow(find(id), () => new DomainError('NOT_FOUND', noPool(id), { field: 'pool' })).id;

const noPool = (id: string): string =>
  `No rating pool has the id ${shown(id)}. Use one of ${POOLS.map((pool) => pool.id).join(', ')}.`;

const toTwo = (value: number): number => Math.round(value * 100) / 100;

export const ratingOf = ({
  userId: _,
  ruleset,
  rating,
  deviation,
  volatility,
  ...shown
}: Standing): model.Rating => ({
  pool: poolOf(ruleset),
  ...shown,
  rating: toTwo(rating),
  deviation: toTwo(deviation),
  volatility: Math.round(volatility * 1_000_000) / 1_000_000,
});

/** The difference of the rounded values, so that before plus change is always after. */
const difference = ({ ratingBefore, rating }: ChangeRow): number =>
  toTwo(toTwo(rating) - toTwo(ratingBefore));

export const changeOf = (row: ChangeRow): model.RatingChange => ({
  before: toTwo(row.ratingBefore),
  after: toTwo(row.rating),
  change: difference(row),
  deviationBefore: toTwo(row.deviationBefore),
  deviationAfter: toTwo(row.deviation),
});

const pointOf = (row: ChangeRow): model.RatingPoint => ({
  number: row.number,
  gameId: row.gameId,
  at: row.at,
  rating: toTwo(row.rating),
  deviation: toTwo(row.deviation),
  change: difference(row),
});

/** Adds ranks to rows, counting on from the row before them, so that a deep page costs no more than the first. */
function placed(rows: readonly Leader[], behind: Place | null): readonly Placed[] {
  let last = behind;
  return rows.map((row) => {
    const before = last === null ? 0 : last.before + 1;
    const rank = last !== null && last.rating === row.rating ? last.rank : before + 1;
    last = { rating: row.rating, userId: row.userId, before, rank };
    return { row, before, rank };
  });
}
