import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { SignedIn, Viewing, type Viewer } from '../auth/viewer.js';
import {
  RECORD_SCHEMA as OLD_RECORD_SCHEMA,
  type GameRecord as OldRecord,
} from '../../fairness/format-1/record.js';
import { RECORD_SCHEMA, type GameRecord } from '../../fairness/format-2/record.js';
import { ClaimEnum } from './enums.model.js';
import { IdParam, MyGamesArgs, PliesArgs } from './games.inputs.js';
import { GameDocument, GamePage, LegalMove } from './games.model.js';
import { GamesService } from './games.service.js';
import { GamesView } from './games.view.js';
import { GameEvent, PlyConnection } from './plies.model.js';

@ApiTags('games')
@ApiBearerAuth()
@Controller('v1/games')
export class GamesController {
  constructor(
    private readonly games: GamesService,
    private readonly view: GamesView,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Your games: the running ones by urgency, the others by last activity, newest first',
  })
  @ApiQuery({ name: 'list', enum: ['all', 'running', 'ended'], required: false })
  @ApiQuery({ name: 'first', type: 'integer', required: false })
  @ApiQuery({ name: 'after', type: String, required: false })
  @ApiOkResponse({ type: GamePage })
  async mine(@SignedIn() viewer: Viewer, @Query() { list, ...page }: MyGamesArgs): Promise<GamePage> {
    const mine = await this.view.mine(viewer, list, page);
    const { pageInfo, counts } = mine;
    return { games: await this.view.documents(mine, viewer), pageInfo, counts };
  }

  @Get(':id')
  @ApiOperation({ summary: 'A game' })
  @ApiOkResponse({ type: GameDocument })
  async game(@Viewing() viewer: Viewer | null, @Param() { id }: IdParam): Promise<GameDocument> {
    return this.view.document(await this.games.game(id), viewer);
  }

  @Get(':id/moves')
  @ApiOperation({ summary: 'The plies of a game in order' })
  @ApiQuery({ name: 'first', type: 'integer', required: false })
  @ApiQuery({ name: 'after', type: String, required: false })
  @ApiQuery({ name: 'last', type: 'integer', required: false })
  @ApiQuery({ name: 'before', type: String, required: false })
  @ApiQuery({ name: 'takenBack', type: Boolean, required: false })
  @ApiOkResponse({ type: PlyConnection })
  async moves(@Param() { id }: IdParam, @Query() page: PliesArgs): Promise<PlyConnection> {
    return this.view.plies(await this.games.game(id), page);
  }

  @Get(':id/legal-moves')
  @ApiOperation({ summary: 'The legal moves for whoever is to move, none for everybody else' })
  @ApiOkResponse({ type: [LegalMove] })
  async legalMoves(
    @Viewing() viewer: Viewer | null,
    @Param() { id }: IdParam,
  ): Promise<readonly LegalMove[]> {
    return this.games.legalMoves(await this.games.game(id), viewer);
  }

  @Get(':id/claimable')
  @ApiOperation({ summary: 'The draws that a player may claim as the game stands' })
  @ApiOkResponse({ schema: { type: 'array', items: { type: 'string', enum: Object.values(ClaimEnum) } } })
  async claimable(@Param() { id }: IdParam): Promise<readonly string[]> {
    return this.games.claimable(await this.games.game(id));
  }

  @Get(':id/events')
  @ApiOperation({ summary: 'Acts that are no plies, starts and ends' })
  @ApiOkResponse({ type: [GameEvent] })
  async events(@Param() { id }: IdParam): Promise<readonly GameEvent[]> {
    return this.view.events(await this.games.game(id));
  }

  @Get(':id/record')
  @ApiOperation({ summary: 'The whole game as one document, for `npm run verify`' })
  @ApiOkResponse({ schema: { oneOf: [RECORD_SCHEMA, OLD_RECORD_SCHEMA] } })
  record(@Param() { id }: IdParam): Promise<OldRecord | GameRecord> {
    return this.games.record(id);
  }
}
