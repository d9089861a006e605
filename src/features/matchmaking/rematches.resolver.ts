import { Args, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { SignedIn, Viewing, type Viewer } from '../auth/viewer.js';
import { Game } from '../games/games.model.js';
import { Challenge } from './challenges.model.js';
import { ChallengesView } from './challenges.view.js';
import { RematchArgs } from './rematches.inputs.js';
import { RematchesService } from './rematches.service.js';

@Resolver(() => Game)
export class RematchesResolver {
  constructor(
    private readonly rematches: RematchesService,
    private readonly view: ChallengesView,
  ) {}

  @Mutation(() => Challenge, {
    description:
      'Offers another game on the same terms, or accepts one when your opponent has offered it already.',
  })
  async offerRematch(@SignedIn() viewer: Viewer, @Args() request: RematchArgs): Promise<Challenge> {
    return this.view.challenge(await this.rematches.offer(viewer, request), viewer);
  }

  @ResolveField(() => Challenge, {
    nullable: true,
    description: 'The rematch that is offered or accepted; for the two players.',
  })
  async rematch(@Parent() { row }: Game, @Viewing() viewer: Viewer | null): Promise<Challenge | null> {
    const found = await this.rematches.ofGame(row, viewer);
    return found && this.view.challenge(found, viewer);
  }
}
