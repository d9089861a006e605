import { connection, POOL, RATING, RULESET, USER } from '../documents.js';
import { get, getAll, getEdges, query, queryPart, verb } from '../verb.js';
import type { Edges, RatingPool, User } from '../api-types.js';
import type { Body } from '../transport.js';

export interface Rating {
  readonly pool: RatingPool;
  readonly rating: number;
  readonly deviation: number;
  readonly volatility: number;
  readonly provisional: boolean;
  readonly games: number;
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  readonly ratedAt: string | null;
}

export interface RatingPoint {
  readonly number: number;
  readonly gameId: string;
  readonly at: string;
  readonly rating: number;
  readonly deviation: number;
  readonly change: number;
}

export interface Place {
  readonly rank: number;
  readonly user: User;
  readonly rating: Rating;
}

export interface Distribution {
  readonly pool: RatingPool;
  readonly at: string;
  readonly players: number;
  readonly provisional: number;
  readonly bins: readonly {
    readonly from: number;
    readonly to: number;
    readonly players: number;
    readonly provisional: number;
  }[];
}

export interface Expected {
  readonly score: number;
  readonly a: Rating;
  readonly b: Rating;
}

const POINT = '{ number gameId at rating deviation change }';
const BINS = `{ ${POOL} at players provisional bins { from to players provisional } }`;

export const RATINGS = {
  ratingPools: verb<[], readonly RatingPool[]>({
    rest: () => getAll('rating-pools'),
    graphql: () => query('ratingPools', {}, `{ id ${RULESET} }`),
  }),
  /** Null in GraphQL where REST refuses: unknown username. */
  ratings: verb<[username: string], readonly Rating[] | null>({
    rest: (username) => getAll(`users/${encodeURIComponent(username)}/ratings`),
    graphql: (username) => queryPart('user', { username }, 'ratings', {}, RATING),
  }),
  ratingHistory: verb<[username: string, pool: string, page?: Body], Edges<RatingPoint>>({
    rest: (username, pool, page) =>
      getEdges(`users/${encodeURIComponent(username)}/ratings/${encodeURIComponent(pool)}`, page),
    graphql: (username, pool, page) => query('ratingHistory', { username, pool, ...page }, connection(POINT)),
  }),
  leaderboard: verb<[pool: string, page?: Body], Edges<Place>>({
    rest: (pool, page) => getEdges(`leaderboards/${encodeURIComponent(pool)}`, page),
    graphql: (pool, page) =>
      query(
        'leaderboard',
        { pool, first: 20, ...page },
        connection(`{ rank user ${USER} rating ${RATING} }`),
      ),
  }),
  ratingDistribution: verb<[pool: string], Distribution>({
    rest: (pool) => get(`ratings/${encodeURIComponent(pool)}/distribution`),
    graphql: (pool) => query('ratingDistribution', { pool }, BINS),
  }),
  expectedScore: verb<[of: Body], Expected>({
    rest: (of) => get('expected-score', of),
    graphql: (of) => query('expectedScore', of, `{ score a ${RATING} b ${RATING} }`),
  }),
};
