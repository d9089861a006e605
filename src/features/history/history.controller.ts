import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { ListsBothWays, wholeList } from '../../platform/listed.js';
import { Viewing, type Viewer } from '../auth/viewer.js';
import {
  GamesQuery,
  HeadArgs,
  HeadToHeadQuery,
  RivalsParam,
  RulesetQuery,
  UserParam,
} from './history.inputs.js';
import { GameSearchPage, HeadToHeadDocument, OpponentPage, Statistics } from './history.model.js';
import { HistoryView } from './history.view.js';

@ApiTags('history')
@Controller('v1')
export class HistoryController {
  constructor(private readonly view: HistoryView) {}

  @Get('games/search')
  @ApiOperation({ summary: 'All games that there are, or those that are looked for' })
  @ListsBothWays(GameSearchPage)
  games(@Viewing() viewer: Viewer | null, @Query() query: GamesQuery): Promise<GameSearchPage> {
    const { orderBy: by, direction, totalCount, first, after, last, before, ...filter } = query;
    return this.view.documents(filter, { by, direction }, { first, after, last, before }, totalCount === true, viewer); // prettier-ignore
  }

  @Get('users/:username/statistics')
  @ApiOperation({ summary: 'What the finished games of a player add up to' })
  @ApiOkResponse({ type: Statistics })
  statistics(@Param() { username }: UserParam, @Query() { ruleset }: RulesetQuery): Promise<Statistics> {
    return this.view.statistics(username, ruleset ?? null);
  }

  @Get('users/:username/opponents')
  @ApiOperation({ summary: 'Whom a player has finished the most games with' })
  @ApiQuery({ name: 'first', type: 'integer', required: false })
  @ApiOkResponse({ type: OpponentPage })
  async opponents(@Param() { username }: UserParam, @Query() { first }: HeadArgs): Promise<OpponentPage> {
    return wholeList(await this.view.opponents(username, first));
  }

  @Get('users/:username/against/:opponent')
  @ApiOperation({ summary: 'What two players have played against each other' })
  @ApiOkResponse({ type: HeadToHeadDocument })
  headToHead(
    @Viewing() viewer: Viewer | null,
    @Param() { username, opponent }: RivalsParam,
    @Query() { ruleset, first }: HeadToHeadQuery,
  ): Promise<HeadToHeadDocument> {
    return this.view.headToHeadDocument(username, opponent, ruleset ?? null, first, viewer);
  }
}
