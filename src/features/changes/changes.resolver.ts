import { Args, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { Game } from '../games/games.model.js';
import type { Vacation } from '../vacations/vacations.model.js';
import type { ImportedGame } from '../imports/imports.model.js';
import type { Challenge } from '../matchmaking/challenges.model.js';
import type { Notification } from '../notifications/notifications.model.js';
import type { Rating } from '../ratings/ratings.model.js';
import type { User } from '../users/users.model.js';
import { ChangesArgs } from './changes.inputs.js';
import { Change, Changes } from './changes.model.js';
import { ChangesView } from './changes.view.js';

@Resolver(() => Change)
export class ChangesResolver {
  constructor(private readonly view: ChangesView) {}

  @Query(() => Changes, {
    name: 'changes',
    description:
      'Everything of yours that has changed since you last asked, the oldest first. What changes by the mere passing of time, such as the deviation of a rating, is no change.',
  })
  page(@SignedIn() viewer: Viewer, @Args() request: ChangesArgs): Promise<Changes> {
    return this.view.page(viewer, request);
  }

  @ResolveField(() => Game, { nullable: true, description: 'game, messages, seat: the game as it is now.' })
  game(@Parent() change: Change): Promise<Game | null> {
    return this.view.game(change);
  }

  @ResolveField()
  challenge(@Parent() change: Change, @SignedIn() viewer: Viewer): Promise<Challenge | null> {
    return this.view.challenge(change, viewer);
  }

  @ResolveField()
  importedGame(@Parent() change: Change): Promise<ImportedGame | null> {
    return this.view.importedGame(change);
  }

  @ResolveField()
  rating(@Parent() change: Change, @SignedIn() viewer: Viewer): Promise<Rating | null> {
    return this.view.rating(change, viewer);
  }

  @ResolveField()
  profile(@Parent() change: Change): Promise<User | null> {
    return this.view.profile(change);
  }

  @ResolveField()
  blocked(@Parent() change: Change): Promise<User | null> {
    return this.view.blocked(change);
  }

  @ResolveField()
  vacation(@Parent() change: Change, @SignedIn() viewer: Viewer): Promise<Vacation | null> {
    return this.view.vacation(change, viewer);
  }

  @ResolveField()
  notification(@Parent() change: Change, @SignedIn() viewer: Viewer): Promise<Notification | null> {
    return this.view.notification(change, viewer);
  }
}
