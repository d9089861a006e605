import { Args, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { SignedIn, Viewing, type Viewer } from '../auth/viewer.js';
import { PageArgs } from '../../platform/page.inputs.js';
import { Game } from '../games/games.model.js';
import { Challenge } from './challenges.model.js';
import { InboxConnection, InboxItem } from './inbox.model.js';
import { InboxView } from './inbox.view.js';

@Resolver(() => InboxItem)
export class InboxResolver {
  constructor(private readonly view: InboxView) {}

  @Query(() => InboxConnection, {
    description: 'What waits for your answer, newest first: challenges, rematches, and offers in games.',
  })
  inbox(@SignedIn() viewer: Viewer, @Args() page: PageArgs): Promise<InboxConnection> {
    return this.view.page(viewer, page);
  }

  @ResolveField(() => Game, { nullable: true, description: 'The game of gameId.' })
  game(@Parent() { gameId }: InboxItem): Promise<Game> | null {
    return gameId === null ? null : this.view.game(gameId);
  }

  @ResolveField(() => Challenge, { nullable: true, description: 'The challenge of challengeId.' })
  challenge(
    @Parent() { challengeId }: InboxItem,
    @Viewing() viewer: Viewer | null,
  ): Promise<Challenge> | null {
    return challengeId === null ? null : this.view.challenge(challengeId, viewer);
  }
}
