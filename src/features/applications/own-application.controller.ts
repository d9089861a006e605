import { Body, Controller, Delete, Get, Param, Post, Put, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { NeedsKind } from '../../platform/contract/access.js';
import { PageArgs } from '../../platform/contract/page.inputs.js';
import { listPage, Paginated } from '../../platform/contract/paginated.js';
import { Refuses, RouteOf, type RestPayloadOf } from '../../platform/contract/verb.js';
import { OWN_DATA } from '../accounts/own-data.controller.js';
import { OwnDataService } from '../accounts/own-data.service.js';
import { fileOf } from '../../platform/http/files.js';
import { OfApplication, type Principal } from '../auth/principal.js';
import { Application } from './applications.model.js';
import { ApplicationsService } from './applications.service.js';
import { CreateGamesInput, OwnGamesArgs, SOME_IDS } from './made-games.inputs.js';
import { OwnGamePage } from './made-games.model.js';
import { MadeGamesService } from './made-games.service.js';
import { CREATE_GAMES } from './made-games.verbs.js';
import { CreatePlayerTokenBody, PlayerParam, SavePlayerBody, SavePlayersInput } from './players.inputs.js';
import { OwnPlayer, OwnPlayerPage } from './players.model.js';
import { PlayersService } from './players.service.js';
import { CREATE_PLAYER_TOKEN, ERASE_PLAYER, SAVE_PLAYER, SAVE_PLAYERS } from './players.verbs.js';

/** What an application does as itself. */
@ApiTags('applications')
@Controller('v1/application')
export class OwnApplicationController {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly players: PlayersService,
    private readonly games: MadeGamesService,
    private readonly ownData: OwnDataService,
  ) {}

  @NeedsKind('application', 'application')
  @Get()
  @ApiOperation({
    operationId: 'application',
    summary: 'The application whose token it is, with what it uses.',
  })
  @ApiOkResponse({ type: Application })
  application(@OfApplication() { userId }: Principal): Promise<Application> {
    return this.applications.one(userId);
  }

  @NeedsKind('application', 'application')
  @Get('players')
  @ApiOperation({
    operationId: 'ownPlayers',
    summary: 'The players of your application, the one made first first.',
  })
  @Paginated(OwnPlayerPage)
  async ownPlayers(@OfApplication() application: Principal, @Query() page: PageArgs): Promise<OwnPlayerPage> {
    return listPage(await this.players.listed(application, page));
  }

  @NeedsKind('application', 'application')
  @Get('players/:externalId')
  @Refuses('NOT_FOUND')
  @ApiOperation({ operationId: 'ownPlayer', summary: 'A player of your application.' })
  @ApiOkResponse({ type: OwnPlayer })
  ownPlayer(
    @OfApplication() application: Principal,
    @Param() { externalId }: PlayerParam,
  ): Promise<OwnPlayer> {
    return this.players.one(application, externalId);
  }

  @NeedsKind('application', 'application')
  @Get('players/:externalId/export')
  @Refuses('NOT_FOUND')
  @ApiOperation({
    operationId: 'exportPlayer',
    summary: 'All data of a player of your application, as one stream; one export of each player at a time.',
  })
  @ApiOkResponse(OWN_DATA)
  async exportPlayer(
    @OfApplication() application: Principal,
    @Param() { externalId }: PlayerParam,
  ): Promise<StreamableFile> {
    const { player } = await this.players.one(application, externalId);
    return fileOf(await this.ownData.exportFor(application, player));
  }

  @Put('players/:externalId')
  @RouteOf(SAVE_PLAYER)
  async savePlayer(
    @OfApplication() application: Principal,
    @Param() { externalId }: PlayerParam,
    @Body() { displayName }: SavePlayerBody,
  ): Promise<RestPayloadOf<typeof SAVE_PLAYER>> {
    return { player: await this.players.save(application, { externalId, displayName }) };
  }

  @Put('players')
  @RouteOf(SAVE_PLAYERS)
  async savePlayers(
    @OfApplication() application: Principal,
    @Body() { players }: SavePlayersInput,
  ): Promise<RestPayloadOf<typeof SAVE_PLAYERS>> {
    return { players: await this.players.saveAll(application, players) };
  }

  @Post('players/:externalId/tokens')
  @RouteOf(CREATE_PLAYER_TOKEN, 201)
  createPlayerToken(
    @OfApplication() application: Principal,
    @Param() { externalId }: PlayerParam,
    @Body() body: CreatePlayerTokenBody,
  ): Promise<RestPayloadOf<typeof CREATE_PLAYER_TOKEN>> {
    return this.players.token(application, externalId, body);
  }

  @Delete('players/:externalId')
  @RouteOf(ERASE_PLAYER)
  async erasePlayer(
    @OfApplication() application: Principal,
    @Param() { externalId }: PlayerParam,
  ): Promise<RestPayloadOf<typeof ERASE_PLAYER>> {
    return { erasedId: await this.players.erase(application, externalId) };
  }

  @NeedsKind('application', 'application')
  @Get('games')
  @ApiOperation({
    operationId: 'ownGames',
    summary:
      'The games of your application, the one begun first first; those of its players with others included.',
  })
  @ApiQuery({ name: 'ids', type: String, required: false, description: `${SOME_IDS} Separated by commas.` })
  @Paginated(OwnGamePage)
  async ownGames(
    @OfApplication() application: Principal,
    @Query() { ids, ...page }: OwnGamesArgs,
  ): Promise<OwnGamePage> {
    const found = await this.games.listed(application, ids ?? null, page);
    return { ...listPage(found), items: await this.games.documents(found) };
  }

  @Post('games')
  @RouteOf(CREATE_GAMES)
  async createGames(
    @OfApplication() application: Principal,
    @Body() { games }: CreateGamesInput,
  ): Promise<RestPayloadOf<typeof CREATE_GAMES>> {
    const rows = await this.games.create(application, games);
    return { games: await Promise.all(rows.map((row) => this.games.document(row))) };
  }
}
