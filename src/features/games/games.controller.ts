import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Needs, Public } from '../../platform/contract/access.js';
import { SignedIn, Viewing, type Principal } from '../auth/principal.js';
import type { GameRecord } from '../../fairness/record.js';
import {
  listPage,
  listPageBothWays,
  Paginated,
  PaginatedBothWays,
  wholeList,
} from '../../platform/contract/paginated.js';
import { LongRangeArgs } from '../../platform/contract/page.inputs.js';
import {
  AFTER_VERSION,
  GamesByIdsArgs,
  IdParam,
  IDS,
  LIST,
  MyGamesArgs,
  PliesArgs,
  RecordQuery,
  TAKEN_BACK,
} from './games.inputs.js';
import { ClaimPage, GameDocument, GamePage, GamesByIdsPage, LegalMovePage } from './games.model.js';
import { PRIVATE, Revalidated, TAG, Tagged } from '../../platform/http/etag.js';
import type { JsonText, PageOfTexts } from '../../platform/http/json-text.js';
import { GameTags } from './game-tags.js';
import { GamesService } from './games.service.js';
import { RECORD_SCHEMA } from './record.schema.js';
import { GamesView } from './games.view.js';
import { LegalMovesView } from './legal-moves.view.js';
import { PliesView } from './plies.view.js';
import { GameEventPage, PlyPage } from './plies.model.js';

@ApiTags('games')
@Controller('v1')
export class GamesController {
  constructor(
    private readonly games: GamesService,
    private readonly view: GamesView,
    private readonly plies: PliesView,
    private readonly legal: LegalMovesView,
    private readonly tags: GameTags,
  ) {}

  @Needs('games:read')
  @Get('me/games')
  @ApiOperation({
    operationId: 'myGames',
    summary: 'Your games: the running ones by urgency, the others by last activity, the newest first.',
  })
  @ApiQuery({ name: 'list', enum: ['all', 'running', 'ended'], required: false, description: LIST })
  @Paginated(GamePage)
  async mine(
    @SignedIn() viewer: Principal,
    @Query() { list, ...page }: MyGamesArgs,
  ): Promise<PageOfTexts<GamePage>> {
    const mine = await this.view.mine(viewer, list, page);
    return { ...listPage(mine), items: await this.view.texts(mine, viewer) };
  }

  @Needs('games:read')
  @Get('games/by-ids')
  @ApiOperation({
    operationId: 'gamesByIds',
    summary: 'Games by their ids in the order asked, null in the place of an unknown id.',
  })
  @ApiQuery({ name: 'ids', type: String, description: `${IDS} Separated by commas.` })
  @ApiOkResponse({ type: GamesByIdsPage })
  async byIds(
    @Viewing() viewer: Principal | null,
    @Query() { ids }: GamesByIdsArgs,
  ): Promise<PageOfTexts<GamesByIdsPage>> {
    const rows = await this.games.foundByIds(ids);
    return wholeList(await Promise.all(rows.map(async (row) => row && this.view.text(row, viewer))));
  }

  @Needs('games:read')
  @Get('games/:id')
  @ApiOperation({ operationId: 'game', summary: 'A game by its id.' })
  @ApiOkResponse({ type: GameDocument, headers: TAG })
  @Revalidated()
  async game(
    @Viewing() viewer: Principal | null,
    @Param() { id }: IdParam,
  ): Promise<Tagged<JsonText<GameDocument>>> {
    const row = await this.games.game(id);
    const users = await this.games.players(row);
    const tag = this.tags.ofDocument(row, users, viewer);
    return new Tagged(tag, PRIVATE, () => this.view.text(row, viewer, users));
  }

  @Public()
  @Get('games/:id/moves')
  @ApiOperation({ operationId: 'moves', summary: 'The plies of a game in the order of play.' })
  @ApiQuery({ name: 'takenBack', type: Boolean, required: false, description: TAKEN_BACK })
  @PaginatedBothWays(PlyPage)
  async moves(@Param() { id }: IdParam, @Query() page: PliesArgs): Promise<PageOfTexts<PlyPage>> {
    return listPageBothWays(await this.plies.texts(await this.games.game(id), page));
  }

  @Needs('games:read')
  @Get('games/:id/legal-moves')
  @ApiOperation({
    operationId: 'legalMoves',
    summary: 'The legal moves that you may play now; empty if you are not to move.',
  })
  @ApiOkResponse({ type: LegalMovePage })
  async legalMoves(
    @Viewing() viewer: Principal | null,
    @Param() { id }: IdParam,
  ): Promise<JsonText<LegalMovePage>> {
    return this.legal.text(await this.games.game(id), viewer);
  }

  @Public()
  @Get('games/:id/claimable')
  @ApiOperation({
    operationId: 'claimable',
    summary: 'The draws that the player to move may claim in the current position.',
  })
  @ApiOkResponse({ type: ClaimPage })
  async claimable(@Param() { id }: IdParam): Promise<ClaimPage> {
    return wholeList(this.games.claimable(await this.games.game(id)));
  }

  @Public()
  @Get('games/:id/log')
  @ApiOperation({ operationId: 'gameLog', summary: 'The log of a game without its plies, in order.' })
  @PaginatedBothWays(GameEventPage)
  async events(@Param() { id }: IdParam, @Query() page: LongRangeArgs): Promise<GameEventPage> {
    return listPageBothWays(await this.view.events(await this.games.game(id), page));
  }

  @Public()
  @Get('games/:id/record')
  @ApiOperation({
    operationId: 'record',
    summary: 'The record of a game as one document, for `npm run verify`.',
  })
  @ApiOkResponse({
    description: 'The record of the game, as docs/fairness.md describes it.',
    schema: RECORD_SCHEMA,
  })
  @ApiQuery({ name: 'after', type: 'integer', required: false, description: AFTER_VERSION })
  record(@Param() { id }: IdParam, @Query() { after }: RecordQuery): Promise<GameRecord> {
    return this.games.record(id, after);
  }
}
