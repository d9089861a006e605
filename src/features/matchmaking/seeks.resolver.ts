import { Args, Mutation, Query, Resolver, Subscription } from '@nestjs/graphql';
import { Sessions } from '../auth/sessions.js';
import { SignedIn, Viewing, type Viewer } from '../auth/viewer.js';
import { DomainError } from '../../platform/errors.js';
import { PubSub, type SeekAnnouncement } from '../../platform/pubsub.js';
import { Challenge, ChallengeConnection } from './challenges.model.js';
import { ChallengesView } from './challenges.view.js';
import { LobbyView } from './lobby.view.js';
import { CreateSeekMutationInput, LobbyArgs } from './seeks.inputs.js';
import { LobbyChange } from './seeks.model.js';
import { SeeksService } from './seeks.service.js';

/** What `lobbyChanged` needs at each event. */
interface SocketContext {
  /** Absent when somebody sends a subscription over HTTP. */
  readonly viewer?: Viewer | null;
}

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
    async resolve(this: SeeksResolver, change: SeekAnnouncement, _: unknown, { viewer }: SocketContext) {
      if (viewer === undefined) {
        throw new DomainError('BAD_INPUT', 'Send subscriptions over a socket, in the graphql-ws protocol.');
      }
      if (viewer !== null) await this.sessions.demandLive(viewer);
      return this.lobbyView.change(change, viewer);
    },
  })
  lobbyChanged(): AsyncIterableIterator<SeekAnnouncement> {
    return this.pubsub.subscribeSeeks();
  }
}
