import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiSchema, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/contract/access.js';
import { model } from '../../platform/contract/model.js';
import { RouteOf, type RestPayloadOf } from '../../platform/contract/verb.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { CONDITIONAL_MOVES } from './conditional-moves.model.js';
import { ConditionalMovesService } from './conditional-moves.service.js';
import { CLEAR_CONDITIONAL_MOVES, SET_CONDITIONAL_MOVES } from './conditional-moves.verbs.js';
import { IdParam, SetConditionalMovesBody } from './games.inputs.js';
import { GamesService } from './games.service.js';
import { expectedOf, HeedsVersion, Matched, type Expected } from './if-match.js';
import { seatOf } from './game.row.js';
import { GamesView } from './games.view.js';

@ApiSchema({ description: 'Your conditional moves in a game.' })
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

  @Needs('games:read')
  @Get()
  @ApiOperation({
    operationId: 'conditionalMoves',
    summary: 'Your conditional moves in a game, which only you can see.',
  })
  @ApiOkResponse({ type: ConditionalMoves })
  async conditionalMoves(@SignedIn() viewer: Principal, @Param() { id }: IdParam): Promise<ConditionalMoves> {
    const row = await this.games.game(id);
    return { conditionalMoves: this.view.plan(row, seatOf(row, viewer)) };
  }

  @Put()
  @RouteOf(SET_CONDITIONAL_MOVES)
  @HeedsVersion()
  set(
    @SignedIn() viewer: Principal,
    @Param() { id }: IdParam,
    @Body() body: SetConditionalMovesBody,
    @Matched() matched: Expected,
  ): Promise<Payload> {
    return this.put(viewer, id, body.tree, expectedOf(body, matched));
  }

  @Delete()
  @RouteOf(CLEAR_CONDITIONAL_MOVES)
  @HeedsVersion()
  clear(
    @SignedIn() viewer: Principal,
    @Param() { id }: IdParam,
    @Matched() matched: Expected,
  ): Promise<Payload> {
    return this.put(viewer, id, null, matched);
  }

  private async put(viewer: Principal, id: string, tree: unknown, expected: Expected): Promise<Payload> {
    const row = await this.planned.set(viewer, id, tree, expected);
    return {
      game: await this.view.document(row, viewer),
      conditionalMoves: this.view.plan(row, seatOf(row, viewer)),
    };
  }
}
