import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/contract/access.js';
import {
  listPage,
  listPageBothWays,
  Paginated,
  PaginatedBothWays,
  wholeList,
} from '../../platform/contract/paginated.js';
import { LongRangeArgs, PageArgs } from '../../platform/contract/page.inputs.js';
import { Refuses } from '../../platform/contract/verb.js';
import { POOLS } from './pools.js';
import { EXPECTED, ExpectedScoreArgs, HistoryParam, PoolParam, UsernameParam } from './ratings.inputs.js';
import {
  ExpectedScore,
  LeaderboardPage,
  RatingDistribution,
  RatingHistoryPage,
  RatingPage,
  RatingPoolPage,
} from './ratings.model.js';
import { RatingsView } from './ratings.view.js';

@ApiTags('ratings')
@Controller('v1')
export class RatingsController {
  constructor(private readonly view: RatingsView) {}

  @Public()
  @Get('rating-pools')
  @ApiOperation({ operationId: 'ratingPools', summary: 'All rating pools.' })
  @ApiOkResponse({ type: RatingPoolPage })
  pools(): RatingPoolPage {
    return wholeList(POOLS);
  }

  @Public()
  @Get('users/:username/ratings')
  @ApiOperation({ operationId: 'ratings', summary: 'The ratings of a user in all pools with a rated game.' })
  @ApiOkResponse({ type: RatingPage })
  async ratings(@Param() { username }: UsernameParam): Promise<RatingPage> {
    return wholeList(await this.view.ofName(username));
  }

  @Public()
  @Get('users/:username/ratings/:pool')
  @ApiOperation({
    operationId: 'ratingHistory',
    summary: 'The ratings of a user after each rated game in a pool, oldest first.',
  })
  @PaginatedBothWays(RatingHistoryPage)
  async history(
    @Param() { username, pool }: HistoryParam,
    @Query() page: LongRangeArgs,
  ): Promise<RatingHistoryPage> {
    return listPageBothWays(await this.view.history(username, pool, page));
  }

  @Public()
  @Get('leaderboards/:pool')
  @ApiOperation({
    operationId: 'leaderboard',
    summary:
      'The leaderboard of a pool, highest rating first: users with a deviation of 75 or less and a rated game in the last 90 days.',
  })
  @Paginated(LeaderboardPage)
  async leaderboard(@Param() { pool }: PoolParam, @Query() page: PageArgs): Promise<LeaderboardPage> {
    return listPage(await this.view.leaderboard(pool, page));
  }

  @Public()
  @Get('ratings/:pool/distribution')
  @ApiOperation({ operationId: 'ratingDistribution', summary: 'The distribution of the ratings in a pool.' })
  @ApiOkResponse({ type: RatingDistribution })
  distribution(@Param() { pool }: PoolParam): Promise<RatingDistribution> {
    return this.view.distribution(pool);
  }

  @Public()
  @Get('expected-score')
  @Refuses('NOT_FOUND')
  @ApiOperation({
    operationId: 'expectedScore',
    summary: 'The expected score of a game between two users (Glicko).',
  })
  @ApiQuery({ name: 'pool', type: String, description: EXPECTED.pool.shown.description! })
  @ApiQuery({ name: 'a', type: String, description: EXPECTED.a.shown.description! })
  @ApiQuery({ name: 'b', type: String, description: EXPECTED.b.shown.description! })
  @ApiOkResponse({ type: ExpectedScore })
  expectedScore(@Query() { pool, a, b }: ExpectedScoreArgs): Promise<ExpectedScore> {
    return this.view.expectedScore(pool, a, b);
  }
}
