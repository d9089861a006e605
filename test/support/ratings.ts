import request from 'supertest';
import type { SqlSession } from '../../src/platform/database/session.js';
import type { Http } from './accounts.js';
import type { Answer, Body, Refusal } from './play.js';
import type { Edges, User } from './shown.js';

/** What is asked about ratings, over both transports, with the same answers. */

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

export interface Ratings {
  /** Null in GraphQL where REST refuses: nobody has the name. */
  ratings(username: string): Promise<Answer<readonly Rating[] | null>>;
  history(username: string, ruleset: string, page?: Body): Promise<Answer<Edges<RatingPoint>>>;
  leaderboard(ruleset: string, page?: Body): Promise<Answer<Edges<Place>>>;
  distribution(ruleset: string): Promise<Answer<Distribution>>;
  expectedScore(query: Body): Promise<Answer<Expected>>;
}

function refused({ code, field }: Refusal, text: string): Answer<never> {
  return { data: undefined as never, refusal: { code, ...(field === undefined ? {} : { field }) }, text };
}

export function restRatings(http: Http): Ratings {
  const get = async <T>(parts: readonly string[], query: Body = {}): Promise<Answer<T>> => {
    const path = parts.map(encodeURIComponent).join('/');
    const { status, body, text } = await request(http).get(`/v1/${path}`).query(query);
    return status < 400 ? { data: body as T, text } : refused(body as Refusal, text);
  };
  return {
    ratings: (username) => get(['users', username, 'ratings']),
    history: (username, ruleset, page) => get(['users', username, 'ratings', ruleset], page),
    leaderboard: (ruleset, page) => get(['leaderboards', ruleset], page),
    distribution: (ruleset) => get(['ratings', ruleset, 'distribution']),
    expectedScore: (query) => get(['expected-score'], query),
  };
}

const USER = '{ id username displayName closed createdAt challengesFrom challengesWithin }';
const RATING = '{ ruleset rating deviation volatility provisional games wins draws losses ratedAt }';
const PAGE = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
const RANGE = '$first: Int, $after: String, $last: Int, $before: String';
const POINTS = `{ edges { cursor node { number gameId at rating deviation change } } ${PAGE} }`;
const PLACES = `{ edges { cursor node { rank user ${USER} rating ${RATING} } } ${PAGE} }`;

interface GraphqlAnswer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: Refusal }[];
}

export function graphqlRatings(http: Http): Ratings {
  const call = async <T>(query: string, variables: Body, read = (answer: never): unknown => answer) => {
    const { body, text } = await request(http).post('/graphql').send({ query, variables });
    const { data, errors } = body as GraphqlAnswer;
    if (errors !== undefined) return refused(errors[0]!.extensions, text);
    return { data: read(Object.values(data ?? {})[0] as never) as T, text };
  };
  return {
    ratings: (username) =>
      call(
        `query ($username: String!) { user(username: $username) { ratings ${RATING} } }`,
        { username },
        (user: { ratings: readonly Rating[] } | null) => user && user.ratings,
      ),
    history: (username, ruleset, page = {}) =>
      call(
        `query ($username: String!, $ruleset: String!, ${RANGE}) { ratingHistory(username: $username, ruleset: $ruleset, first: $first, after: $after, last: $last, before: $before) ${POINTS} }`,
        { username, ruleset, ...page },
      ),
    leaderboard: (ruleset, page = {}) =>
      call(
        `query ($ruleset: String!, $first: Int = 20, $after: String) { leaderboard(ruleset: $ruleset, first: $first, after: $after) ${PLACES} }`,
        { ruleset, ...page },
      ),
    distribution: (ruleset) =>
      call(
        'query ($ruleset: String!) { ratingDistribution(ruleset: $ruleset) { ruleset at players provisional bins { from to players provisional } } }',
        { ruleset },
      ),
    expectedScore: (query) =>
      call(
        `query ($ruleset: String!, $a: String!, $b: String!) { expectedScore(ruleset: $ruleset, a: $a, b: $b) { score a ${RATING} b ${RATING} } }`,
        query,
      ),
  };
}

export const RATING_WAYS = [
  ['GraphQL', graphqlRatings],
  ['REST', restRatings],
] as const;

/**
 * What is wrong with the ratings of a database: a game that ended rated without a change for each of its players, or
 * another one with changes; a chain of changes that is broken; a rating that is not what its last change and the results
 * of its games made it.
 */
export const brokenRatings = (db: SqlSession): Promise<{ what: string }[]> =>
  db.query(`
    WITH chain AS (
      SELECT *, row_number() OVER own AS place, lag(rating) OVER own AS last_rating, lag(deviation) OVER own AS last_deviation,
             lag(volatility) OVER own AS last_volatility, lead(number) OVER own AS next
      FROM rating_changes WINDOW own AS (PARTITION BY user_id, ruleset ORDER BY number)
    ), played AS (
      SELECT c.user_id, c.ruleset, count(*) AS games, count(*) FILTER (WHERE g.winner = c.player) AS wins,
             count(*) FILTER (WHERE g.winner IS NULL) AS draws, max(c.at) AS at
      FROM rating_changes c JOIN games g ON g.id = c.game_id GROUP BY c.user_id, c.ruleset
    )
    SELECT 'game ' || g.id AS what FROM games g
    LEFT JOIN rating_changes a ON a.game_id = g.id AND a.player = 'first' AND a.user_id = g.first_id AND a.ruleset = g.ruleset
    LEFT JOIN rating_changes b ON b.game_id = g.id AND b.player = 'second' AND b.user_id = g.second_id AND b.ruleset = g.ruleset
    WHERE (g.ended_at IS NOT NULL AND g.unrated IS NULL)
          IS DISTINCT FROM (a.at IS NOT DISTINCT FROM g.ended_at AND b.at IS NOT DISTINCT FROM g.ended_at AND a.at IS NOT NULL)
       OR (a.game_id IS NULL) <> (b.game_id IS NULL)
    UNION ALL
    SELECT 'change ' || game_id || ' ' || player FROM chain
    WHERE number <> place OR rating_before <> coalesce(last_rating, 1500)
       OR volatility_before <> coalesce(last_volatility, 0.09) OR deviation_before < coalesce(last_deviation, 500)
    UNION ALL
    SELECT 'rating ' || coalesce(r.user_id, c.user_id) || ' ' || coalesce(r.ruleset, c.ruleset)
    FROM ratings r
    FULL JOIN (SELECT * FROM chain WHERE next IS NULL) c USING (user_id, ruleset)
    LEFT JOIN played p USING (user_id, ruleset)
    WHERE (r.rating, r.deviation, r.volatility, r.games, r.wins, r.draws, r.losses, r.rated_at)
      IS DISTINCT FROM (c.rating, c.deviation, c.volatility, c.number, p.wins::integer, p.draws::integer,
                        (p.games - p.wins - p.draws)::integer, p.at)`);
