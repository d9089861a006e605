import { Args, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { MutationOf, type PayloadOf } from '../../platform/verb.js';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { RangeArgs } from '../../platform/page.inputs.js';
import { GameViewer } from '../games/viewer.model.js';
import { SendMessageInput } from './messages.inputs.js';
import { MessageConnection } from './messages.model.js';
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
    @SignedIn() viewer: Viewer,
    @Args('input') input: SendMessageInput,
  ): Promise<PayloadOf<typeof SEND_MESSAGE>> {
    return { message: this.view.message(await this.messages.send(viewer, input)) };
  }

  @ResolveField('messages', () => MessageConnection, {
    description: 'What you and your opponent wrote, in order.',
  })
  ofGame(@Parent() { row }: GameViewer, @Args() page: RangeArgs): Promise<MessageConnection> {
    return this.view.page(row.id, page);
  }
}
