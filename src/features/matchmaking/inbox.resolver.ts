import { Args, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { Needs } from '../../platform/contract/access.js';
import { SignedIn, Viewing, type Principal } from '../auth/principal.js';
import { PageArgs } from '../../platform/contract/page.inputs.js';
import { Game } from '../games/games.model.js';
import { GamesService } from '../games/games.service.js';
import { GamesView } from '../games/games.view.js';
import { LOOKED_THROUGH } from '../games/urgency.js';
import { Cost } from '../../platform/contract/cost.js';
import { Challenge } from './challenges.model.js';
import { ChallengesView } from './challenges.view.js';
import { INBOX, InboxConnection, InboxItem } from './inbox.model.js';
import { InboxView } from './inbox.view.js';

@Resolver(() => InboxItem)
export class InboxResolver {
  constructor(
    private readonly view: InboxView,
    private readonly games: GamesService,
    private readonly gamesView: GamesView,
    private readonly challenges: ChallengesView,
  ) {}

  @Cost({ fields: LOOKED_THROUGH })
  @Needs('challenges:read', 'games:read')
  @Query(() => InboxConnection, {
    description: INBOX,
  })
  inbox(@SignedIn() viewer: Principal, @Args() page: PageArgs): Promise<InboxConnection> {
    return this.view.page(viewer, page);
  }

  @ResolveField(() => Game, {
    nullable: true,
    description: 'The game of gameId; null for a challenge or rematch.',
  })
  async game({ gameId }: InboxItem): Promise<Game | null> {
    return gameId === null ? null : this.gamesView.game(await this.games.one(gameId));
  }

  @Needs('challenges:read')
  @ResolveField(() => Challenge, {
    nullable: true,
    description: 'The challenge of challengeId; null for an offer in a game.',
  })
  challenge(
    @Parent() { challengeId }: InboxItem,
    @Viewing() viewer: Principal | null,
  ): Promise<Challenge> | null {
    return challengeId === null ? null : this.challenges.byId(challengeId, viewer);
  }
}
