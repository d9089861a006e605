import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { model } from '../../platform/model.js';
import { RouteOf, type RestPayloadOf } from '../../platform/verb.js';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { CONDITIONAL_MOVES } from './conditional-moves.model.js';
import { ConditionalMovesService } from './conditional-moves.service.js';
import { CLEAR_CONDITIONAL_MOVES, SET_CONDITIONAL_MOVES } from './conditional-moves.verbs.js';
import { IdParam, SetConditionalMovesBody } from './games.inputs.js';
import { GamesService } from './games.service.js';
import { seatOf } from './game.row.js';
import { GamesView } from './games.view.js';

/** What you have planned in a game. */
class ConditionalMoves extends model({ conditionalMoves: CONDITIONAL_MOVES }) {}

type Payload = RestPayloadOf<typeof SET_CONDITIONAL_MOVES>;

@ApiTags('play')
@Controller('v1/games/:id/conditional-moves')
export class ConditionalMovesController {
  constructor(
    private readonly planned: ConditionalMovesService,
    private readonly games: GamesService,
    private readonly view: GamesView,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'conditionalMoves',
    summary: 'Your own conditional moves; nobody else sees them',
  })
  @ApiOkResponse({ type: ConditionalMoves })
  async conditionalMoves(@SignedIn() viewer: Viewer, @Param() { id }: IdParam): Promise<ConditionalMoves> {
    const row = await this.games.game(id);
    return { conditionalMoves: this.view.plan(row, seatOf(row, viewer)) };
  }

  @Put()
  @RouteOf(SET_CONDITIONAL_MOVES)
  set(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() { tree }: SetConditionalMovesBody,
  ): Promise<Payload> {
    return this.put(viewer, id, tree);
  }

  @Delete()
  @RouteOf(CLEAR_CONDITIONAL_MOVES)
  clear(@SignedIn() viewer: Viewer, @Param() { id }: IdParam): Promise<Payload> {
    return this.put(viewer, id, null);
  }

  private async put(viewer: Viewer, id: string, tree: unknown): Promise<Payload> {
    const row = await this.planned.set(viewer, id, tree);
    return {
      game: await this.view.document(row, viewer),
      conditionalMoves: this.view.plan(row, seatOf(row, viewer)),
    };
  }
}
