import { Float, ID, Int, ObjectType } from '@nestjs/graphql';
import { ApiSchema } from '@nestjs/swagger';
import { MAX_PAGE_SIZE } from '../../platform/contract/page.js';
import { connectionOf } from '../../platform/contract/connection.js';
import { DateTimeScalar } from '../../platform/contract/scalars.js';
import { Node } from '../../platform/contract/node.js';
import { pageFields, pageFieldsBothWays } from '../../platform/contract/paginated.js';
import { Cost, rowsAtMost } from '../../platform/contract/cost.js';
import { rulesets } from '../../rules/registry.js';
import { model, shown } from '../../platform/contract/model.js';
import { RULESET } from '../rulesets/named.js';
import { User } from '../users/users.model.js';

/** Response types for ratings. Ratings and deviations have two decimals; changes are differences of the shown values. */

export const ALL_POOLS = rowsAtMost(rulesets().length);

@ObjectType({
  description:
    'A group of players whose ratings are comparable: those with a rated game of a rule set, with any of its options. A ' +
    'rule set has one pool today and may have several later.',
  implements: () => [Node],
})
export class RatingPool extends model({
  id: shown(ID, {
    description: 'The id of the pool, opaque.',
    rest: { type: String, example: 'chess' },
  }),
  ruleset: RULESET,
}) {}

@ApiSchema({ description: 'The list of all rating pools.' })
export class RatingPoolPage extends model(pageFields(RatingPool)) {}

@ObjectType({ description: 'The rating of a user in a rating pool (Glicko-2).' })
export class Rating extends model({
  pool: shown(RatingPool, { description: 'The pool of the rating.' }),
  rating: shown(Float, {
    description: 'The rating, 400 or more, to two decimals; 1500 before the first rated game.',
    example: 1612.37,
  }),
  deviation: shown(Float, {
    description:
      'The rating deviation as of now, 45 (certain) to 500 (unknown), to two decimals. It grows while the user plays no rated game.',
    example: 71.05,
  }),
  volatility: shown(Float, {
    description:
      'The Glicko-2 volatility: how much the rating tends to change; 0.09 before the first rated game.',
    example: 0.089999,
  }),
  provisional: shown(Boolean, {
    description: 'True while the deviation is above 110. Often shown as a question mark after the rating.',
  }),
  games: shown(Int, { description: 'The number of rated games.' }),
  wins: shown(Int, { description: 'The number of rated games won.' }),
  draws: shown(Int, { description: 'The number of rated games drawn.' }),
  losses: shown(Int, { description: 'The number of rated games lost.' }),
  ratedAt: shown(DateTimeScalar, {
    nullable: true,
    description: 'The end of the last rated game; null before the first one.',
  }),
}) {}

@ApiSchema({ description: 'The list of the ratings of a user.' })
export class RatingPage extends model(pageFields(Rating)) {}

@ObjectType({ description: 'The change of the rating of one player by a game.' })
export class RatingChange extends model({
  before: shown(Float, { description: 'The rating before the game, to two decimals.' }),
  after: shown(Float, { description: 'The rating after the game, to two decimals.' }),
  change: shown(Float, { description: 'The difference: after minus before.', example: -7.31 }),
  deviationBefore: shown(Float, {
    description: 'The deviation before the game, as it had grown by its end.',
  }),
  deviationAfter: shown(Float, { description: 'The deviation after the game.' }),
}) {}

@ObjectType({ description: 'The changes of the ratings of both players by a game.' })
export class RatingChanges extends model({
  first: shown(RatingChange, { description: 'The change for the first player.' }),
  second: shown(RatingChange, { description: 'The change for the second player.' }),
}) {}

@ObjectType({ description: 'A point of a rating history: the rating after one game.' })
export class RatingPoint extends model({
  number: shown(Int, {
    description: 'The number of the game among the rated games of the user in the pool, from 1.',
  }),
  gameId: shown(ID, { description: 'The id of the game.' }),
  at: shown(DateTimeScalar, { description: 'The end of the game.' }),
  rating: shown(Float, { description: 'The rating after the game, to two decimals.' }),
  deviation: shown(Float, { description: 'The deviation after the game, to two decimals.' }),
  change: shown(Float, { description: 'The change of the rating by the game.' }),
}) {}

@ObjectType({
  description: 'A page of a rating history, in the order in which the games were rated.',
})
export class RatingHistoryConnection extends model(
  connectionOf(RatingPoint, 'A point on a page of a rating history.', { page: MAX_PAGE_SIZE }),
) {}

export class RatingHistoryPage extends model(pageFieldsBothWays(RatingPoint)) {}

@ObjectType({ description: 'A place on a leaderboard.' })
export class LeaderboardPlace extends model({
  rank: shown(Int, { description: 'The rank, from 1; users with the same rating share it.' }),
  user: shown(User, { description: 'The user at this place.' }),
  rating: shown(Rating, { description: 'The rating of the user in the pool.' }),
}) {}

@ObjectType({ description: 'A page of a leaderboard, highest rating first.' })
export class LeaderboardConnection extends model(
  connectionOf(LeaderboardPlace, 'A place on a page of a leaderboard.', { edgeName: 'LeaderboardEdge' }),
) {}

export class LeaderboardPage extends model(pageFields(LeaderboardPlace)) {}

@ObjectType({ description: 'A step of a distribution of ratings.' })
export class RatingBin extends model({
  from: shown(Int, { description: 'The lowest rating of the step.' }),
  to: shown(Int, { description: 'The rating at which the step ends, exclusive.' }),
  players: shown(Int, {
    description: 'The number of players with a rating in the step, provisional ones included.',
  }),
  provisional: shown(Int, { description: 'The number of players in the step with a provisional rating.' }),
}) {}

@ObjectType({ description: 'The distribution of the ratings in a pool.' })
export class RatingDistribution extends model({
  pool: shown(RatingPool, { description: 'The pool of the ratings.' }),
  at: shown(DateTimeScalar, { description: 'The time of the count, at most a minute ago.' }),
  players: shown(Int, { description: 'The number of players with a rated game in the pool.' }),
  provisional: shown(Int, { description: 'The number of those players with a provisional rating.' }),
  bins: shown(
    [RatingBin],
    { description: 'The steps of 50 from the lowest rating to the highest, empty ones included.' },
    Cost(rowsAtMost(60)),
  ),
}) {}

@ObjectType({ description: 'The expected score of a game between two users (Glicko).' })
export class ExpectedScore extends model({
  score: shown(Float, {
    description: 'The expected score of a, 0 to 1, where a win is 1 and a draw 0.5; that of b is 1 minus it.',
    example: 0.6402,
  }),
  a: shown(Rating, { description: 'The rating of the first user.' }),
  b: shown(Rating, { description: 'The rating of the second user.' }),
}) {}
