import { Body, Controller, HttpCode, Param, Post, type Type } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Act } from '../../arbiter/acts/act.js';
import { ACTS } from '../../arbiter/acts/registry.js';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { bodyOf } from './act-inputs.js';
import { IdParam } from './games.inputs.js';
import { GameDocument } from './games.model.js';
import { GamesView } from './games.view.js';
import { PlayService, type ActRequest } from './play.service.js';

/** What the two players of a game may do: a route for each act. */
export const playControllers: readonly Type[] = ACTS.map(controllerOf);

function controllerOf(act: Act): Type {
  @ApiTags('play')
  @ApiBearerAuth()
  @Controller('v1/games/:id')
  class ActController {
    constructor(
      private readonly play: PlayService,
      private readonly view: GamesView,
    ) {}

    @Post(act.path)
    @HttpCode(200)
    @ApiOperation({ operationId: `PlayController_${act.name}`, summary: act.summary })
    @ApiOkResponse({ type: GameDocument })
    async act(
      @SignedIn() viewer: Viewer,
      @Param() { id }: IdParam,
      @Body() request: Omit<ActRequest, 'gameId'>,
    ): Promise<GameDocument> {
      return this.view.document(await this.play.act(viewer, act, { ...request, gameId: id }), viewer);
    }
  }
  // The compiler knows no more of the body than that it is an object, which nothing would be checked by.
  Reflect.defineMetadata('design:paramtypes', [Object, IdParam, bodyOf(act)], ActController.prototype, 'act');
  return ActController;
}
