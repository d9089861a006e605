import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { SignedIn, Viewing, type Viewer } from '../auth/viewer.js';
import {
  RECORD_SCHEMA as OLD_RECORD_SCHEMA,
  type GameRecord as OldRecord,
} from '../../fairness/format-1/record.js';
import { RECORD_SCHEMA, type GameRecord } from '../../fairness/format-2/record.js';
import { seatOf } from './game.row.js';
import { listPage, listPageBothWays, Lists, ListsBothWays, wholeList } from '../../platform/listed.js';
import { GamesByIdsArgs, IdParam, MyGamesArgs, PliesArgs } from './games.inputs.js';
import { ClaimPage, GameDocument, GamePage, GamesByIdsPage, LegalMovePage } from './games.model.js';
import { PRIVATE, Revalidated, TAG, type Tagged } from '../../platform/tagged.js';
import { GameTags } from './game-tags.js';
import { GamesService } from './games.service.js';
import { GamesView } from './games.view.js';
import { GameEventPage, PlyPage } from './plies.model.js';

@ApiTags('games')
@Controller('v1/games')
export class GamesController {
  constructor(
    private readonly games: GamesService,
    private readonly view: GamesView,
    private readonly tags: GameTags,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Your games: the running ones by urgency, the others by last activity, newest first',
  })
  @ApiQuery({ name: 'list', enum: ['all', 'running', 'ended'], required: false })
  @Lists(GamePage)
  async mine(@SignedIn() viewer: Viewer, @Query() { list, ...page }: MyGamesArgs): Promise<GamePage> {
    const mine = await this.view.mine(viewer, list, page);
    return { ...listPage(mine), items: await this.view.documents(mine, viewer) };
  }

  @Get('by-ids')
  @ApiOperation({
    summary: 'Games by their ids, in the order of these; null in the place of an id that no game has',
  })
  @ApiQuery({ name: 'ids', type: String, description: 'Up to 100, with commas between.' })
  @ApiOkResponse({ type: GamesByIdsPage })
  async byIds(@Viewing() viewer: Viewer | null, @Query() { ids }: GamesByIdsArgs): Promise<GamesByIdsPage> {
    const rows = await this.games.sought(ids);
    return wholeList(await Promise.all(rows.map(async (row) => row && this.view.document(row, viewer))));
  }

  @Get(':id')
  @ApiOperation({ summary: 'A game' })
  @ApiOkResponse({ type: GameDocument, headers: TAG })
  @Revalidated()
  async game(@Viewing() viewer: Viewer | null, @Param() { id }: IdParam): Promise<Tagged<GameDocument>> {
    const row = await this.games.game(id);
    const tag = await this.tags.ofDocument(row, viewer);
    return { tag, caching: PRIVATE, answer: () => this.view.document(row, viewer) };
  }

  @Get(':id/moves')
  @ApiOperation({ summary: 'The plies of a game in order' })
  @ApiQuery({ name: 'takenBack', type: Boolean, required: false })
  @ListsBothWays(PlyPage)
  async moves(@Param() { id }: IdParam, @Query() page: PliesArgs): Promise<PlyPage> {
    return listPageBothWays(await this.view.plies(await this.games.game(id), page));
  }

  @Get(':id/legal-moves')
  @ApiOperation({ summary: 'The legal moves for whoever is to move, none for everybody else' })
  @ApiOkResponse({ type: LegalMovePage })
  async legalMoves(@Viewing() viewer: Viewer | null, @Param() { id }: IdParam): Promise<LegalMovePage> {
    const row = await this.games.game(id);
    return wholeList(this.games.legalMoves(row, seatOf(row, viewer)));
  }

  @Get(':id/claimable')
  @ApiOperation({ summary: 'The draws that a player may claim as the game stands' })
  @ApiOkResponse({ type: ClaimPage })
  async claimable(@Param() { id }: IdParam): Promise<ClaimPage> {
    return wholeList(this.games.claimable(await this.games.game(id)));
  }

  @Get(':id/events')
  @ApiOperation({ summary: 'Acts that are no plies, starts and ends' })
  @ApiOkResponse({ type: GameEventPage })
  async events(@Param() { id }: IdParam): Promise<GameEventPage> {
    return wholeList(await this.view.events(await this.games.game(id)));
  }

  @Get(':id/record')
  @ApiOperation({ summary: 'The whole game as one document, for `npm run verify`' })
  @ApiOkResponse({ schema: { oneOf: [RECORD_SCHEMA, OLD_RECORD_SCHEMA] } })
  record(@Param() { id }: IdParam): Promise<OldRecord | GameRecord> {
    return this.games.record(id);
  }
}
