import { Args, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { Needs, NeedsKind } from '../../platform/contract/access.js';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import { OfQuotas } from '../auth/device.js';
import { OfApplication, SignedIn, type Principal } from '../auth/principal.js';
import { LongRangeArgs } from '../../platform/contract/page.inputs.js';
import type { Quotas } from '../../platform/limits/quotas.js';
import { GameViewer } from '../games/viewer.model.js';
import { OwnMessagesArgs, SendMessageInput } from './messages.inputs.js';
import { MessageConnection, MESSAGES_ALLOWED, OwnMessageConnection } from './messages.model.js';
import { MessagesService } from './messages.service.js';
import { SEND_MESSAGE } from './messages.verbs.js';
import { MessagesView } from './messages.view.js';

@Resolver(() => GameViewer)
export class MessagesResolver {
  constructor(
    private readonly messages: MessagesService,
    private readonly view: MessagesView,
  ) {}

  @MutationOf(SEND_MESSAGE)
  async send(
    @SignedIn() viewer: Principal,
    @InputArg() input: SendMessageInput,
    @OfQuotas() quotas: Quotas,
  ): Promise<PayloadOf<typeof SEND_MESSAGE>> {
    return { message: this.view.message(await this.messages.send(viewer, input, quotas)) };
  }

  @NeedsKind('application', 'application')
  @Query(() => OwnMessageConnection, {
    name: 'ownMessages',
    description: 'The messages in the games of your application, or in one of these, oldest first.',
  })
  ofApplication(
    @OfApplication() application: Principal,
    @Args() { gameId, ...page }: OwnMessagesArgs,
  ): Promise<OwnMessageConnection> {
    return this.view.ofApplication(application, gameId ?? null, page);
  }

  @Needs('messages:read')
  @ResolveField('messages', () => MessageConnection, {
    nullable: true,
    description: 'The messages between you and your opponent, oldest first.',
  })
  ofGame(@Parent() { row }: GameViewer, @Args() page: LongRangeArgs): Promise<MessageConnection> {
    return this.view.page(row.id, page);
  }

  @Needs('messages:read')
  @ResolveField(() => Boolean, { nullable: true, description: MESSAGES_ALLOWED })
  messagesAllowed({ row, seat }: GameViewer): Promise<boolean> {
    return this.messages.allowed(row, seat);
  }
}
