import { Args, Query, Resolver, Subscription } from '@nestjs/graphql';
import type { Quotas } from '../../platform/limits/quotas.js';
import { OfQuotas } from '../auth/device.js';
import { Needs } from '../../platform/contract/access.js';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import { Sessions } from '../auth/sessions.js';
import { entitled, SignedIn, Viewing, type SocketContext, type Principal } from '../auth/principal.js';
import { Cost } from '../../platform/contract/cost.js';
import { PubSub, type SeekAnnouncement } from '../../platform/events/pubsub.js';
import { ChallengeConnection } from './challenges.model.js';
import { CREATE_SEEK } from './challenges.verbs.js';
import { ChallengesView, USERS_AND_RATINGS } from './challenges.view.js';
import { LobbyView } from './lobby.view.js';
import { CreateSeekInput, LobbyArgs } from './seeks.inputs.js';
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

  @Cost({ perRow: USERS_AND_RATINGS })
  @Needs('challenges:read')
  @Query(() => ChallengeConnection, {
    description: 'The open seeks, newest first, without those of users who block you or whom you block.',
  })
  lobby(
    @Viewing() viewer: Principal | null,
    @Args() { filter, ...page }: LobbyArgs,
  ): Promise<ChallengeConnection> {
    return this.lobbyView.page(viewer, filter ?? {}, page);
  }

  @MutationOf(CREATE_SEEK)
  async create(
    @SignedIn() viewer: Principal,
    @InputArg() input: CreateSeekInput,
    @OfQuotas() quotas: Quotas,
  ): Promise<PayloadOf<typeof CREATE_SEEK>> {
    const row = await this.seeks.create(viewer, input, quotas);
    return this.view.withGame(row, await this.view.gameOf(row), viewer);
  }

  @Needs('challenges:read')
  @Subscription(() => LobbyChange, {
    description: 'The changes of the lobby: each seek that enters or leaves it.',
    async resolve(this: SeeksResolver, change: SeekAnnouncement, _: unknown, context: SocketContext) {
      const listener = await this.sessions.listener(context);
      return this.lobbyView.change(change, entitled(listener, ['challenges:read']));
    },
  })
  lobbyChanged(@Viewing() _viewer: Principal | null): AsyncIterableIterator<SeekAnnouncement> {
    return this.pubsub.subscribeSeeks();
  }
}
