import { Float, ID, Int, ObjectType } from '@nestjs/graphql';
import { MOST_ON_A_PAGE } from '../../platform/page.js';
import { connectionOf } from '../../platform/connection.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { listed, listedBothWays } from '../../platform/listed.js';
import { Cost, rowsAtMost } from '../../platform/graphql/cost.js';
import { rulesets } from '../../rules/registry.js';
import { model, shown } from '../../platform/model.js';
import { User } from '../users/users.model.js';

/** What leaves the server about ratings. Ratings and deviations have two decimals, and changes are of what is shown. */

export const ALL_POOLS = rowsAtMost(rulesets().length);

@ObjectType({ description: 'How strong a user is in a pool: a rule set with any of its options (Glicko-2).' })
export class Rating extends model({
  ruleset: shown(String, { description: 'The pool: the id of its rule set.', example: 'chess' }),
  rating: shown(Float, { description: 'To two decimals; 1500 before the first game.', example: 1612.37 }),
  deviation: shown(Float, {
    description:
      'How uncertain the rating is, 45 (well known) to 500 (unknown), as of now: it grows while nobody plays.',
    example: 71.05,
  }),
  volatility: shown(Float, { description: 'How much the strength changes.', example: 0.089999 }),
  provisional: shown(Boolean, {
    description: 'Is the deviation above 110? Often written as ? behind the rating.',
  }),
  games: shown(Int, { description: 'Rated games.' }),
  wins: shown(Int),
  draws: shown(Int),
  losses: shown(Int),
  ratedAt: shown(DateTimeScalar, {
    nullable: true,
    description: 'The end of the last rated game; null: none yet.',
  }),
}) {}

/** Ratings in REST. */
export class RatingPage extends model(listed(Rating)) {}

@ObjectType({ description: 'What a rated game did to one of its players.' })
export class RatingChange extends model({
  before: shown(Float),
  after: shown(Float),
  change: shown(Float, { description: 'after less before.', example: -7.31 }),
  deviationBefore: shown(Float, { description: 'As it had grown by the end of the game.' }),
  deviationAfter: shown(Float),
}) {}

@ObjectType({ description: 'What a rated game did to its two players.' })
export class RatingChanges extends model({
  first: shown(RatingChange),
  second: shown(RatingChange),
}) {}

@ObjectType({ description: 'A point of a rating history: the rating after a game.' })
export class RatingPoint extends model({
  number: shown(Int, { description: 'Counts the rated games of the user in the pool, from 1.' }),
  gameId: shown(ID),
  at: shown(DateTimeScalar, { description: 'When the game ended.' }),
  rating: shown(Float),
  deviation: shown(Float),
  change: shown(Float, { description: 'What the game changed of the rating.' }),
}) {}

@ObjectType({
  description: 'A page of a rating history, in the order in which the games were rated (Relay).',
})
export class RatingHistoryConnection extends model(
  connectionOf(RatingPoint, 'A point in a page of a rating history.', { page: MOST_ON_A_PAGE }),
) {}

/** The same in REST. */
export class RatingHistoryPage extends model(listedBothWays(RatingPoint)) {}

@ObjectType({ description: 'A place on a leaderboard.' })
export class LeaderboardPlace extends model({
  rank: shown(Int, { description: 'From 1; who has the same rating has the same rank.' }),
  user: shown(User),
  rating: shown(Rating),
}) {}

@ObjectType({ description: 'A page of a leaderboard, the strongest first (Relay).' })
export class LeaderboardConnection extends model(
  connectionOf(LeaderboardPlace, 'A place in a page of a leaderboard.', { edgeName: 'LeaderboardEdge' }),
) {}

/** The same in REST. */
export class LeaderboardPage extends model(listed(LeaderboardPlace)) {}

@ObjectType({ description: 'A step of a distribution: the ratings from `from` up to, and without, `to`.' })
export class RatingBin extends model({
  from: shown(Int),
  to: shown(Int),
  players: shown(Int, {
    description: 'How many players have a rating in it, the provisional ones among them.',
  }),
  provisional: shown(Int, { description: 'How many of them are provisional.' }),
}) {}

@ObjectType({ description: 'How the ratings of all who have a rated game in a pool are distributed.' })
export class RatingDistribution extends model({
  ruleset: shown(String),
  at: shown(DateTimeScalar, { description: 'When it was counted, at most a minute ago.' }),
  players: shown(Int, { description: 'All who have a rated game in the pool.' }),
  provisional: shown(Int, { description: 'How many of them are provisional.' }),
  bins: shown(
    [RatingBin],
    { description: 'Steps of 50 from the weakest player to the strongest, empty ones too.' },
    Cost(rowsAtMost(60)),
  ),
}) {}

@ObjectType({ description: 'What two users may expect of a game against each other.' })
export class ExpectedScore extends model({
  score: shown(Float, {
    description: 'What a may expect, 0 to 1: a win is 1, a draw 0.5. b may expect the rest.',
    example: 0.6402,
  }),
  a: shown(Rating),
  b: shown(Rating),
}) {}
