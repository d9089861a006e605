import { Float, ID, Int, ObjectType } from '@nestjs/graphql';
import { connectionOf } from '../../platform/connection.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Shown } from '../../platform/model.js';
import { User } from '../users/users.model.js';

/** What leaves the server about ratings. Ratings and deviations have two decimals, and changes are of what is shown. */

@ObjectType({ description: 'How strong a user is in a pool: a rule set with any of its options (Glicko-2).' })
export class Rating {
  @Shown(() => String, { description: 'The pool: the id of its rule set.', example: 'chess' })
  readonly ruleset: string;

  @Shown(() => Float, { description: 'To two decimals; 1500 before the first game.', example: 1612.37 })
  readonly rating: number;

  @Shown(() => Float, {
    description:
      'How uncertain the rating is, 45 (well known) to 500 (unknown), as of now: it grows while nobody plays.',
    example: 71.05,
  })
  readonly deviation: number;

  @Shown(() => Float, { description: 'How much the strength changes.', example: 0.089999 })
  readonly volatility: number;

  @Shown(() => Boolean, { description: 'Is the deviation above 110? Often written as ? behind the rating.' })
  readonly provisional: boolean;

  @Shown(() => Int, { description: 'Rated games.' })
  readonly games: number;

  @Shown(() => Int)
  readonly wins: number;

  @Shown(() => Int)
  readonly draws: number;

  @Shown(() => Int)
  readonly losses: number;

  @Shown(() => DateTimeScalar, {
    nullable: true,
    description: 'The end of the last rated game; null: none yet.',
  })
  readonly ratedAt: Date | null;
}

@ObjectType({ description: 'What a rated game did to one of its players.' })
export class RatingChange {
  @Shown(() => Float)
  readonly before: number;

  @Shown(() => Float)
  readonly after: number;

  @Shown(() => Float, { description: 'after less before.', example: -7.31 })
  readonly change: number;

  @Shown(() => Float, { description: 'As it had grown by the end of the game.' })
  readonly deviationBefore: number;

  @Shown(() => Float)
  readonly deviationAfter: number;
}

@ObjectType({ description: 'What a rated game did to its two players.' })
export class RatingChanges {
  @Shown(() => RatingChange)
  readonly first: RatingChange;

  @Shown(() => RatingChange)
  readonly second: RatingChange;
}

@ObjectType({ description: 'A point of a rating history: the rating after a game.' })
export class RatingPoint {
  @Shown(() => Int, { description: 'Counts the rated games of the user in the pool, from 1.' })
  readonly number: number;

  @Shown(() => ID)
  readonly gameId: string;

  @Shown(() => DateTimeScalar, { description: 'When the game ended.' })
  readonly at: Date;

  @Shown(() => Float)
  readonly rating: number;

  @Shown(() => Float)
  readonly deviation: number;

  @Shown(() => Float, { description: 'What the game changed of the rating.' })
  readonly change: number;
}

@ObjectType({
  description: 'A page of a rating history, in the order in which the games were rated (Relay).',
})
export class RatingHistoryConnection extends connectionOf(
  RatingPoint,
  'A point in a page of a rating history.',
) {}

@ObjectType({ description: 'A place on a leaderboard.' })
export class LeaderboardPlace {
  @Shown(() => Int, { description: 'From 1; who has the same rating has the same rank.' })
  readonly rank: number;

  @Shown(() => User)
  readonly user: User;

  @Shown(() => Rating)
  readonly rating: Rating;
}

@ObjectType({ description: 'A page of a leaderboard, the strongest first (Relay).' })
export class LeaderboardConnection extends connectionOf(
  LeaderboardPlace,
  'A place in a page of a leaderboard.',
  'LeaderboardEdge',
) {}

@ObjectType({ description: 'A step of a distribution: the ratings from `from` up to, and without, `to`.' })
export class RatingBin {
  @Shown(() => Int)
  readonly from: number;

  @Shown(() => Int)
  readonly to: number;

  @Shown(() => Int, { description: 'How many players have a rating in it, the provisional ones among them.' })
  readonly players: number;

  @Shown(() => Int, { description: 'How many of them are provisional.' })
  readonly provisional: number;
}

@ObjectType({ description: 'How the ratings of all who have a rated game in a pool are distributed.' })
export class RatingDistribution {
  @Shown(() => String)
  readonly ruleset: string;

  @Shown(() => DateTimeScalar, { description: 'When it was counted, at most a minute ago.' })
  readonly at: Date;

  @Shown(() => Int, { description: 'All who have a rated game in the pool.' })
  readonly players: number;

  @Shown(() => Int, { description: 'How many of them are provisional.' })
  readonly provisional: number;

  @Shown(() => [RatingBin], {
    description: 'Steps of 50 from the weakest player to the strongest, empty ones too.',
  })
  readonly bins: readonly RatingBin[];
}

@ObjectType({ description: 'What two users may expect of a game against each other.' })
export class ExpectedScore {
  @Shown(() => Float, {
    description: 'What a may expect, 0 to 1: a win is 1, a draw 0.5. b may expect the rest.',
    example: 0.6402,
  })
  readonly score: number;

  @Shown(() => Rating)
  readonly a: Rating;

  @Shown(() => Rating)
  readonly b: Rating;
}
