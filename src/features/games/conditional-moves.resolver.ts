import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { ConditionalMovesService } from './conditional-moves.service.js';
import { GameArgs, SetConditionalMovesInput } from './games.inputs.js';
import { Game } from './games.model.js';
import { GamesView } from './games.view.js';

@Resolver(() => Game)
export class ConditionalMovesResolver {
  constructor(
    private readonly planned: ConditionalMovesService,
    private readonly view: GamesView,
  ) {}

  @Mutation(() => Game, {
    description: 'Plans your answers while your opponent is to move, in place of what was planned before.',
  })
  async setConditionalMoves(
    @SignedIn() viewer: Viewer,
    @Args('input') { gameId, tree }: SetConditionalMovesInput,
  ): Promise<Game> {
    return this.view.game(await this.planned.set(viewer, gameId, tree));
  }

  @Mutation(() => Game, { description: 'Forgets your conditional moves.' })
  async clearConditionalMoves(@SignedIn() viewer: Viewer, @Args() { gameId }: GameArgs): Promise<Game> {
    return this.view.game(await this.planned.set(viewer, gameId, null));
  }
}
