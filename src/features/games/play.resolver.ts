import type { Type } from '@nestjs/common';
import { Resolver } from '@nestjs/graphql';
import type { Act } from '../../arbiter/acts/act.js';
import { ACTS } from '../../arbiter/acts/registry.js';
import { InputArg, MutationOf } from '../../platform/contract/verb.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { inputOfAct } from './act-inputs.js';
import { Game } from './games.model.js';
import { GamesView } from './games.view.js';
import { PlayService, type ActRequest } from './play.service.js';
import { verbOf } from './play.verbs.js';

/** One mutation for each act of a player. */
export const playResolvers: readonly Type[] = ACTS.map(resolverOf);

function resolverOf(act: Act): Type {
  const type = inputOfAct(act);

  @Resolver(() => Game)
  class ActResolver {
    constructor(
      private readonly play: PlayService,
      private readonly view: GamesView,
    ) {}

    @MutationOf(verbOf(act))
    async act(@SignedIn() viewer: Principal, @InputArg(type) request: ActRequest): Promise<object> {
      const { row, plies } = await this.play.act(viewer, act, request);
      return { game: this.view.game(row), ...this.view.made(act, row, plies) };
    }
  }
  // In a factory the compiler emits Object as the type of the input, which would switch off validation.
  Reflect.defineMetadata('design:paramtypes', [Object, type], ActResolver.prototype, 'act');
  return ActResolver;
}
