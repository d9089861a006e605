import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { listPage, listPageBothWays, Lists, ListsBothWays, wholeList } from '../../platform/listed.js';
import { PageArgs, RangeArgs } from '../../platform/page.inputs.js';
import { ExpectedScoreArgs, HistoryParam, PoolParam, UsernameParam } from './ratings.inputs.js';
import {
  ExpectedScore,
  LeaderboardPage,
  RatingDistribution,
  RatingHistoryPage,
  RatingPage,
} from './ratings.model.js';
import { RatingsView } from './ratings.view.js';

@ApiTags('ratings')
@Controller('v1')
export class RatingsController {
  constructor(private readonly view: RatingsView) {}

  @Get('users/:username/ratings')
  @ApiOperation({ summary: 'The ratings of a user in all pools in which there is a rated game' })
  @ApiOkResponse({ type: RatingPage })
  async ratings(@Param() { username }: UsernameParam): Promise<RatingPage> {
    return wholeList(await this.view.ofName(username));
  }

  @Get('users/:username/ratings/:ruleset')
  @ApiOperation({ summary: 'The rating of a user after each rated game in a pool, in order' })
  @ListsBothWays(RatingHistoryPage)
  async history(
    @Param() { username, ruleset }: HistoryParam,
    @Query() page: RangeArgs,
  ): Promise<RatingHistoryPage> {
    return listPageBothWays(await this.view.history(username, ruleset, page));
  }

  @Get('leaderboards/:ruleset')
  @ApiOperation({
    summary: 'The strongest of a pool whose deviation is at most 75, and who ended a rated game in 90 days',
  })
  @Lists(LeaderboardPage)
  async leaderboard(@Param() { ruleset }: PoolParam, @Query() page: PageArgs): Promise<LeaderboardPage> {
    return listPage(await this.view.leaderboard(ruleset, page));
  }

  @Get('ratings/:ruleset/distribution')
  @ApiOperation({ summary: 'How many players of a pool have which rating' })
  @ApiOkResponse({ type: RatingDistribution })
  distribution(@Param() { ruleset }: PoolParam): Promise<RatingDistribution> {
    return this.view.distribution(ruleset);
  }

  @Get('expected-score')
  @ApiOperation({ summary: 'What a may expect of a game against b (Glicko)' })
  @ApiQuery({ name: 'ruleset', type: String })
  @ApiQuery({ name: 'a', type: String, description: 'A username.' })
  @ApiQuery({ name: 'b', type: String, description: 'A username.' })
  @ApiOkResponse({ type: ExpectedScore })
  expectedScore(@Query() { ruleset, a, b }: ExpectedScoreArgs): Promise<ExpectedScore> {
    return this.view.expectedScore(ruleset, a, b);
  }
}
