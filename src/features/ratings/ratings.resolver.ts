import { Args, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { Public } from '../../platform/contract/access.js';
import { Cost } from '../../platform/contract/cost.js';
import { User } from '../users/users.model.js';
import { POOLS } from './pools.js';
import { ExpectedScoreArgs, LeaderboardArgs, PoolArgs, RatingHistoryArgs } from './ratings.inputs.js';
import {
  ALL_POOLS,
  ExpectedScore,
  LeaderboardConnection,
  Rating,
  RatingDistribution,
  RatingHistoryConnection,
  RatingPool,
} from './ratings.model.js';
import { RatingsView } from './ratings.view.js';

@Resolver(() => User)
export class RatingsResolver {
  constructor(private readonly view: RatingsView) {}

  @Cost(ALL_POOLS)
  @ResolveField(() => [Rating], { description: 'The ratings of the user in all pools with a rated game.' })
  ratings(user: User): Promise<readonly Rating[]> {
    return this.view.ofUser(user);
  }

  @ResolveField(() => Rating, {
    description: 'The rating of the user in one pool; the starting rating if there is no rated game.',
  })
  rating(@Parent() user: User, @Args() { pool }: PoolArgs): Promise<Rating> {
    return this.view.ofUserIn(user, pool);
  }

  @Cost(ALL_POOLS)
  @Public()
  @Query(() => [RatingPool], { description: 'All rating pools.' })
  ratingPools(): readonly RatingPool[] {
    return POOLS;
  }

  @Public()
  @Query(() => RatingHistoryConnection, {
    description: 'The ratings of a user after each rated game in a pool, oldest first.',
  })
  ratingHistory(@Args() { username, pool, ...page }: RatingHistoryArgs): Promise<RatingHistoryConnection> {
    return this.view.history(username, pool, page);
  }

  @Public()
  @Query(() => LeaderboardConnection, {
    description:
      'The leaderboard of a pool, highest rating first: users with a deviation of 75 or less and a rated game in the last 90 days.',
  })
  leaderboard(@Args() { pool, ...page }: LeaderboardArgs): Promise<LeaderboardConnection> {
    return this.view.leaderboard(pool, page);
  }

  @Public()
  @Query(() => RatingDistribution, { description: 'The distribution of the ratings in a pool.' })
  ratingDistribution(@Args() { pool }: PoolArgs): Promise<RatingDistribution> {
    return this.view.distribution(pool);
  }

  @Public()
  @Query(() => ExpectedScore, { description: 'The expected score of a game between two users (Glicko).' })
  expectedScore(@Args() { pool, a, b }: ExpectedScoreArgs): Promise<ExpectedScore> {
    return this.view.expectedScore(pool, a, b);
  }
}
