import { Args, Mutation, Query, Resolver, Subscription } from '@nestjs/graphql';
import { Sessions } from '../auth/sessions.js';
import { SignedIn, Viewing, type SocketContext, type Viewer } from '../auth/viewer.js';
import { PubSub, type SeekAnnouncement } from '../../platform/pubsub.js';
import { Challenge, ChallengeConnection } from './challenges.model.js';
import { ChallengesView } from './challenges.view.js';
import { LobbyView } from './lobby.view.js';
import { CreateSeekMutationInput, LobbyArgs } from './seeks.inputs.js';
import { LobbyChange } from './seeks.model.js';
import { SeeksService } from './seeks.service.js';

@Resolver()
export class SeeksResolver {
  constructor(
    private readonly seeks: SeeksService,
    private readonly view: ChallengesView,
    private readonly lobbyView: LobbyView,
    private readonly sessions: Sessions,
    private readonly pubsub: PubSub,
  ) {}

  @Query(() => ChallengeConnection, {
    description: 'The open seeks, newest first; without those of users who block you, or whom you block.',
  })
  lobby(
    @Viewing() viewer: Viewer | null,
    @Args() { filter, ...page }: LobbyArgs,
  ): Promise<ChallengeConnection> {
    return this.lobbyView.page(viewer, filter ?? {}, page);
  }

  @Mutation(() => Challenge, {
    description: 'Pairs you at once with the oldest seek that fits, else lists yours in the lobby.',
  })
  async createSeek(
    @SignedIn() viewer: Viewer,
    @Args('input') input: CreateSeekMutationInput,
  ): Promise<Challenge> {
    return this.view.challenge(await this.seeks.create(viewer, input), viewer);
  }

  @Subscription(() => LobbyChange, {
    description: 'Each seek that comes to the lobby or leaves it.',
    async resolve(this: SeeksResolver, change: SeekAnnouncement, _: unknown, context: SocketContext) {
      return this.lobbyView.change(change, await this.sessions.listener(context));
    },
  })
  lobbyChanged(): AsyncIterableIterator<SeekAnnouncement> {
    return this.pubsub.subscribeSeeks();
  }
}
