import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import type { Plan } from '../../arbiter/plans.js';
import {
  ActInput,
  ClaimInput,
  ConditionalMovesInput,
  GiveTimeInput,
  IdParam,
  MoveInput,
} from './games.inputs.js';
import type { GameRow } from './game.row.js';
import { GameDocument } from './games.model.js';
import { GamesService } from './games.service.js';
import { GamesView } from './games.view.js';
import { PlayService } from './play.service.js';

const TREE_ANSWER = {
  schema: {
    type: 'object' as const,
    properties: { tree: { type: 'array' as const, nullable: true, items: { type: 'object' as const } } },
  },
};

/** What the two players of a game may do. */
@ApiTags('play')
@ApiBearerAuth()
@Controller('v1/games/:id')
export class PlayController {
  constructor(
    private readonly play: PlayService,
    private readonly games: GamesService,
    private readonly view: GamesView,
  ) {}

  @Post('moves')
  @HttpCode(200)
  @ApiOperation({ summary: 'Plays a move' })
  @ApiOkResponse({ type: GameDocument })
  async makeMove(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() input: MoveInput,
  ): Promise<GameDocument> {
    return this.shown(viewer, this.play.makeMove(viewer, { ...input, gameId: id }));
  }

  @Post('resign')
  @HttpCode(200)
  @ApiOperation({ summary: 'Gives the game up, on move or not' })
  @ApiOkResponse({ type: GameDocument })
  async resign(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() input: ActInput,
  ): Promise<GameDocument> {
    return this.shown(viewer, this.play.plain('resign', viewer, { ...input, gameId: id }));
  }

  @Post('abort')
  @HttpCode(200)
  @ApiOperation({ summary: 'Calls the game off before ply 2' })
  @ApiOkResponse({ type: GameDocument })
  async abort(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() input: ActInput,
  ): Promise<GameDocument> {
    return this.shown(viewer, this.play.plain('abort', viewer, { ...input, gameId: id }));
  }

  @Post('draw-offer')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Offers a draw, from ply 2 on; to somebody who has offered one it is the acceptance',
  })
  @ApiOkResponse({ type: GameDocument })
  async offerDraw(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() input: ActInput,
  ): Promise<GameDocument> {
    return this.shown(viewer, this.play.plain('offerDraw', viewer, { ...input, gameId: id }));
  }

  @Post('draw-offer/accept')
  @HttpCode(200)
  @ApiOperation({ summary: 'Accepts the draw that your opponent offers' })
  @ApiOkResponse({ type: GameDocument })
  async acceptDraw(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() input: ActInput,
  ): Promise<GameDocument> {
    return this.shown(viewer, this.play.plain('acceptDraw', viewer, { ...input, gameId: id }));
  }

  @Post('draw-offer/decline')
  @HttpCode(200)
  @ApiOperation({ summary: 'Declines the draw that your opponent offers' })
  @ApiOkResponse({ type: GameDocument })
  async declineDraw(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() input: ActInput,
  ): Promise<GameDocument> {
    return this.shown(viewer, this.play.plain('declineDraw', viewer, { ...input, gameId: id }));
  }

  @Post('takeback')
  @HttpCode(200)
  @ApiOperation({ summary: 'Asks to take your last move back; in casual games' })
  @ApiOkResponse({ type: GameDocument })
  async offerTakeback(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() input: ActInput,
  ): Promise<GameDocument> {
    return this.shown(viewer, this.play.offerTakeback(viewer, { ...input, gameId: id }));
  }

  @Post('takeback/accept')
  @HttpCode(200)
  @ApiOperation({ summary: 'Lets your opponent take the move back' })
  @ApiOkResponse({ type: GameDocument })
  async acceptTakeback(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() input: ActInput,
  ): Promise<GameDocument> {
    return this.shown(viewer, this.play.acceptTakeback(viewer, { ...input, gameId: id }));
  }

  @Post('takeback/decline')
  @HttpCode(200)
  @ApiOperation({ summary: 'Does not let your opponent take the move back' })
  @ApiOkResponse({ type: GameDocument })
  async declineTakeback(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() input: ActInput,
  ): Promise<GameDocument> {
    return this.shown(viewer, this.play.plain('declineTakeback', viewer, { ...input, gameId: id }));
  }

  @Post('pause')
  @HttpCode(200)
  @ApiOperation({ summary: 'Asks for a pause; to somebody who has asked for one it is the acceptance' })
  @ApiOkResponse({ type: GameDocument })
  async offerPause(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() input: ActInput,
  ): Promise<GameDocument> {
    return this.shown(viewer, this.play.plain('offerPause', viewer, { ...input, gameId: id }));
  }

  @Post('pause/accept')
  @HttpCode(200)
  @ApiOperation({ summary: 'Agrees to the pause: the clocks stand still, and nobody moves' })
  @ApiOkResponse({ type: GameDocument })
  async acceptPause(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() input: ActInput,
  ): Promise<GameDocument> {
    return this.shown(viewer, this.play.plain('acceptPause', viewer, { ...input, gameId: id }));
  }

  @Post('pause/decline')
  @HttpCode(200)
  @ApiOperation({ summary: 'Does not agree to the pause' })
  @ApiOkResponse({ type: GameDocument })
  async declinePause(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() input: ActInput,
  ): Promise<GameDocument> {
    return this.shown(viewer, this.play.plain('declinePause', viewer, { ...input, gameId: id }));
  }

  @Post('unpause')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Ends the pause with 24 hours’ notice; at once, when your opponent has given notice already',
  })
  @ApiOkResponse({ type: GameDocument })
  async unpause(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() input: ActInput,
  ): Promise<GameDocument> {
    return this.shown(viewer, this.play.plain('unpause', viewer, { ...input, gameId: id }));
  }

  @Post('abandoned')
  @HttpCode(200)
  @ApiOperation({ summary: 'Ends a game without a time control in which nobody has moved for 30 days' })
  @ApiOkResponse({ type: GameDocument })
  async claimAbandoned(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() input: ActInput,
  ): Promise<GameDocument> {
    return this.shown(viewer, this.play.claimAbandoned(viewer, { ...input, gameId: id }));
  }

  @Post('claim')
  @HttpCode(200)
  @ApiOperation({ summary: 'Claims a draw that the rules allow, as the game stands or with a move' })
  @ApiOkResponse({ type: GameDocument })
  async claimDraw(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() input: ClaimInput,
  ): Promise<GameDocument> {
    return this.shown(viewer, this.play.claimDraw(viewer, { ...input, gameId: id }));
  }

  @Post('time')
  @HttpCode(200)
  @ApiOperation({ summary: 'Gives your opponent, who is to move, one more turn’s time; once in a turn' })
  @ApiOkResponse({ type: GameDocument })
  async giveTime(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() input: GiveTimeInput,
  ): Promise<GameDocument> {
    return this.shown(viewer, this.play.giveTime(viewer, { ...input, gameId: id }));
  }

  @Get('conditional-moves')
  @ApiOperation({ summary: 'Your own conditional moves; nobody else sees them' })
  @ApiOkResponse(TREE_ANSWER)
  async conditionalMoves(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
  ): Promise<{ readonly tree: Plan | null }> {
    return { tree: this.games.plan(await this.games.game(id), viewer) };
  }

  @Put('conditional-moves')
  @ApiOperation({ summary: 'Plans your answers while your opponent is to move' })
  @ApiBody({ type: ConditionalMovesInput })
  @ApiOkResponse(TREE_ANSWER)
  async setConditionalMoves(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() { tree }: ConditionalMovesInput,
  ): Promise<{ readonly tree: Plan | null }> {
    return { tree: this.games.plan(await this.play.plan(viewer, id, tree), viewer) };
  }

  @Delete('conditional-moves')
  @ApiOperation({ summary: 'Forgets your conditional moves' })
  @ApiOkResponse(TREE_ANSWER)
  async clearConditionalMoves(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
  ): Promise<{ readonly tree: Plan | null }> {
    return { tree: this.games.plan(await this.play.plan(viewer, id, null), viewer) };
  }

  private async shown(viewer: Viewer, game: Promise<GameRow>): Promise<GameDocument> {
    return this.view.document(await game, viewer);
  }
}
