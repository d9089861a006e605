import type { Type } from '@nestjs/common';
import { Args, Mutation, Resolver } from '@nestjs/graphql';
import type { Act } from '../../arbiter/acts/act.js';
import { ACTS } from '../../arbiter/acts/registry.js';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { argumentsOf } from './act-inputs.js';
import { Game } from './games.model.js';
import { GamesView } from './games.view.js';
import { PlayService, type ActRequest } from './play.service.js';

/** What the two players of a game may do: a mutation for each act. */
export const playResolvers: readonly Type[] = ACTS.map(resolverOf);

function resolverOf(act: Act): Type {
  const { type, isInput } = argumentsOf(act);
  const given = isInput ? Args('input', { type: () => type }) : Args({ type: () => type });

  @Resolver(() => Game)
  class ActResolver {
    constructor(
      private readonly play: PlayService,
      private readonly view: GamesView,
    ) {}

    @Mutation(() => Game, { name: act.name, description: act.description })
    async act(@SignedIn() viewer: Viewer, @given request: ActRequest): Promise<Game> {
      return this.view.game(await this.play.act(viewer, act, request));
    }
  }
  // The compiler knows no more of it than that it is an object, which nothing would be checked by.
  Reflect.defineMetadata('design:paramtypes', [Object, type], ActResolver.prototype, 'act');
  return ActResolver;
}
