import { applyDecorators, Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { renamingFields } from '../../platform/errors/errors.js';
import { Needs, Public } from '../../platform/contract/access.js';
import { DEFAULT_PAGE_SIZE } from '../../platform/contract/page.js';
import { PaginatedBothWays, wholeList } from '../../platform/contract/paginated.js';
import { Refuses } from '../../platform/contract/verb.js';
import { StopIfGone, Viewing, type Principal } from '../auth/principal.js';
import {
  GamesOfUserQuery,
  GamesQuery,
  HEAD_SIZE,
  HeadArgs,
  HeadToHeadQuery,
  HeadToHeadParam,
  RulesetQuery,
  UserParam,
} from './history.inputs.js';
import { GameSearchPage, HeadToHeadDocument, OpponentPage, Statistics } from './history.model.js';
import type { PageOfTexts } from '../../platform/http/json-text.js';
import { HistoryView } from './history.view.js';

const FindsGames = (): MethodDecorator =>
  applyDecorators(
    Refuses('INVALID_OPTIONS', 'ILLEGAL_MOVE', 'GAME_OVER', 'NOT_FOUND'),
    PaginatedBothWays(GameSearchPage, DEFAULT_PAGE_SIZE),
  );

@ApiTags('history')
@Controller('v1')
export class HistoryController {
  constructor(private readonly view: HistoryView) {}

  @Needs('games:read')
  @Get('games')
  @FindsGames()
  @ApiOperation({
    operationId: 'games',
    summary: 'All games of the server, or those that meet the conditions.',
  })
  games(
    @Viewing() viewer: Principal | null,
    @Query() query: GamesQuery,
    @StopIfGone() stopIfGone: () => void,
  ): Promise<PageOfTexts<GameSearchPage>> {
    return this.found(query, viewer, stopIfGone);
  }

  @Needs('games:read')
  @Get('users/:username/games')
  @FindsGames()
  @ApiOperation({
    operationId: 'gamesOfUser',
    summary: 'The games of a player, or those of them that meet the conditions.',
  })
  gamesOfUser(
    @Viewing() viewer: Principal | null,
    @Param() { username }: UserParam,
    @Query() query: GamesOfUserQuery,
    @StopIfGone() stopIfGone: () => void,
  ): Promise<PageOfTexts<GameSearchPage>> {
    const nameOf = (field: string) => (field === 'player' ? 'username' : field);
    return renamingFields(nameOf, this.found({ ...query, player: username }, viewer, stopIfGone));
  }

  private found(
    query: GamesQuery,
    viewer: Principal | null,
    stopIfGone: () => void,
  ): Promise<PageOfTexts<GameSearchPage>> {
    const { orderBy: by, direction, totalCount, first, after, last, before, ...filter } = query;
    return this.view.documents(filter, { by, direction }, { first, after, last, before }, totalCount === true, viewer, stopIfGone); // prettier-ignore
  }

  @Public()
  @Get('users/:username/statistics')
  @ApiOperation({ operationId: 'statistics', summary: "The statistics of a player's finished games." })
  @ApiOkResponse({ type: Statistics })
  statistics(@Param() { username }: UserParam, @Query() { ruleset }: RulesetQuery): Promise<Statistics> {
    return this.view.statisticsDocument(username, ruleset ?? null);
  }

  @Public()
  @Get('users/:username/opponents')
  @ApiOperation({
    operationId: 'opponents',
    summary: 'The opponents with whom a player has finished the most games, the most frequent first.',
  })
  @ApiQuery({ name: 'first', type: 'integer', required: false, description: HEAD_SIZE })
  @ApiOkResponse({ type: OpponentPage })
  async opponents(@Param() { username }: UserParam, @Query() { first }: HeadArgs): Promise<OpponentPage> {
    return wholeList(await this.view.opponents(username, first));
  }

  @Needs('games:read')
  @Get('users/:username/against/:opponent')
  @ApiOperation({
    operationId: 'headToHead',
    summary: 'The finished games of two players against each other.',
  })
  @ApiOkResponse({ type: HeadToHeadDocument })
  headToHead(
    @Viewing() viewer: Principal | null,
    @Param() { username, opponent }: HeadToHeadParam,
    @Query() { ruleset, first }: HeadToHeadQuery,
  ): Promise<HeadToHeadDocument> {
    return this.view.headToHeadDocument(username, opponent, ruleset ?? null, first, viewer);
  }
}
