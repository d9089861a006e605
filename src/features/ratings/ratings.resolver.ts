import { Args, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { Cost } from '../../platform/graphql/cost.js';
import { User } from '../users/users.model.js';
import { ExpectedScoreArgs, LeaderboardArgs, PoolArgs, RatingHistoryArgs } from './ratings.inputs.js';
import {
  ALL_POOLS,
  ExpectedScore,
  LeaderboardConnection,
  Rating,
  RatingDistribution,
  RatingHistoryConnection,
} from './ratings.model.js';
import { RatingsView } from './ratings.view.js';

@Resolver(() => User)
export class RatingsResolver {
  constructor(private readonly view: RatingsView) {}

  @Cost(ALL_POOLS)
  @ResolveField(() => [Rating], { description: 'In all pools in which the user has a rated game.' })
  ratings(@Parent() user: User): Promise<readonly Rating[]> {
    return this.view.ofUser(user);
  }

  @ResolveField(() => Rating, {
    description: 'In one pool; without a rated game there, what everybody starts with.',
  })
  rating(@Parent() user: User, @Args() { ruleset }: PoolArgs): Promise<Rating> {
    return this.view.ofUserIn(user, ruleset);
  }

  @Query(() => RatingHistoryConnection, {
    description: 'The rating of a user after each rated game in a pool, in order: `last: 1` is the newest.',
  })
  ratingHistory(@Args() { username, ruleset, ...page }: RatingHistoryArgs): Promise<RatingHistoryConnection> {
    return this.view.history(username, ruleset, page);
  }

  @Query(() => LeaderboardConnection, {
    description:
      'The strongest of a pool whose deviation is at most 75, and who ended a rated game in 90 days.',
  })
  leaderboard(@Args() { ruleset, ...page }: LeaderboardArgs): Promise<LeaderboardConnection> {
    return this.view.leaderboard(ruleset, page);
  }

  @Query(() => RatingDistribution, { description: 'How many players of a pool have which rating.' })
  ratingDistribution(@Args() { ruleset }: PoolArgs): Promise<RatingDistribution> {
    return this.view.distribution(ruleset);
  }

  @Query(() => ExpectedScore, { description: 'What a may expect of a game against b (Glicko).' })
  expectedScore(@Args() { ruleset, a, b }: ExpectedScoreArgs): Promise<ExpectedScore> {
    return this.view.expectedScore(ruleset, a, b);
  }
}
