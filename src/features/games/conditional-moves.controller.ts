import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Plan } from '../../arbiter/plans.js';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { ConditionalMovesService } from './conditional-moves.service.js';
import { ConditionalMovesInput, IdParam } from './games.inputs.js';
import { GamesService } from './games.service.js';

const TREE_ANSWER = {
  schema: {
    type: 'object' as const,
    properties: { tree: { type: 'array' as const, nullable: true, items: { type: 'object' as const } } },
  },
};

@ApiTags('play')
@ApiBearerAuth()
@Controller('v1/games/:id/conditional-moves')
export class ConditionalMovesController {
  constructor(
    private readonly planned: ConditionalMovesService,
    private readonly games: GamesService,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'PlayController_conditionalMoves',
    summary: 'Your own conditional moves; nobody else sees them',
  })
  @ApiOkResponse(TREE_ANSWER)
  async conditionalMoves(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
  ): Promise<{ readonly tree: Plan | null }> {
    return { tree: this.games.plan(await this.games.game(id), viewer) };
  }

  @Put()
  @ApiOperation({
    operationId: 'PlayController_setConditionalMoves',
    summary: 'Plans your answers while your opponent is to move',
  })
  @ApiBody({ type: ConditionalMovesInput })
  @ApiOkResponse(TREE_ANSWER)
  async setConditionalMoves(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() { tree }: ConditionalMovesInput,
  ): Promise<{ readonly tree: Plan | null }> {
    return { tree: this.games.plan(await this.planned.set(viewer, id, tree), viewer) };
  }

  @Delete()
  @ApiOperation({
    operationId: 'PlayController_clearConditionalMoves',
    summary: 'Forgets your conditional moves',
  })
  @ApiOkResponse(TREE_ANSWER)
  async clearConditionalMoves(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
  ): Promise<{ readonly tree: Plan | null }> {
    return { tree: this.games.plan(await this.planned.set(viewer, id, null), viewer) };
  }
}
