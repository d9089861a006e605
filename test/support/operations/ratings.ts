import { connection, RATING, USER } from '../documents.js';
import { get, getAll, getEdges, query, queryPart, verb } from '../verb.js';
import type { Edges, User } from '../shown.js';
import type { Body } from '../transport.js';

export interface Rating {
  readonly ruleset: string;
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
  readonly ruleset: string;
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
const BINS = '{ ruleset at players provisional bins { from to players provisional } }';

export const RATINGS = {
  /** Null in GraphQL where REST refuses: nobody has the name. */
  ratings: verb<[username: string], readonly Rating[] | null>({
    rest: (username) => getAll(`users/${encodeURIComponent(username)}/ratings`),
    graphql: (username) => queryPart('user', { username }, 'ratings', {}, RATING),
  }),
  ratingHistory: verb<[username: string, ruleset: string, page?: Body], Edges<RatingPoint>>({
    rest: (username, ruleset, page) =>
      getEdges(`users/${encodeURIComponent(username)}/ratings/${encodeURIComponent(ruleset)}`, page),
    graphql: (username, ruleset, page) =>
      query('ratingHistory', { username, ruleset, ...page }, connection(POINT)),
  }),
  leaderboard: verb<[ruleset: string, page?: Body], Edges<Place>>({
    rest: (ruleset, page) => getEdges(`leaderboards/${encodeURIComponent(ruleset)}`, page),
    graphql: (ruleset, page) =>
      query(
        'leaderboard',
        { ruleset, first: 20, ...page },
        connection(`{ rank user ${USER} rating ${RATING} }`),
      ),
  }),
  ratingDistribution: verb<[ruleset: string], Distribution>({
    rest: (ruleset) => get(`ratings/${encodeURIComponent(ruleset)}/distribution`),
    graphql: (ruleset) => query('ratingDistribution', { ruleset }, BINS),
  }),
  expectedScore: verb<[of: Body], Expected>({
    rest: (of) => get('expected-score', of),
    graphql: (of) => query('expectedScore', of, `{ score a ${RATING} b ${RATING} }`),
  }),
};
