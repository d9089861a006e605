import { Body, Controller, Param, Post, type Type } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Act } from '../../arbiter/acts/act.js';
import { ACTS } from '../../arbiter/acts/registry.js';
import { RouteOf } from '../../platform/contract/verb.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { bodyOf } from './act-inputs.js';
import { IdParam } from './games.inputs.js';
import { HeedsVersion, Matched, type Expected } from './if-match.js';
import { GamesView } from './games.view.js';
import { PlayService, type ActRequest } from './play.service.js';
import { verbOf } from './play.verbs.js';

/** One route for each act of a player. */
export const playControllers: readonly Type[] = ACTS.map(controllerOf);

function controllerOf(act: Act): Type {
  const { type, required } = bodyOf(act);

  @ApiTags('play')
  @Controller('v1/games/:id')
  class ActController {
    constructor(
      private readonly play: PlayService,
      private readonly view: GamesView,
    ) {}

    @Post(act.path)
    @RouteOf(verbOf(act))
    @ApiBody({ type, required })
    @HeedsVersion()
    async act(
      @SignedIn() viewer: Principal,
      @Param() { id }: IdParam,
      @Body() request: Omit<ActRequest, 'gameId'>,
      @Matched() matched: Expected,
    ): Promise<object> {
      const { row, plies } = await this.play.act(viewer, act, { ...request, gameId: id }, matched);
      return { game: await this.view.document(row, viewer), ...this.view.made(act, row, plies) };
    }
  }
  // In a factory the compiler emits Object as the type of the body, which would switch off validation.
  Reflect.defineMetadata(
    'design:paramtypes',
    [Object, IdParam, type, Object],
    ActController.prototype,
    'act',
  );
  return ActController;
}
