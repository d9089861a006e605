import { Args, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { SignedIn, Viewing, type Viewer } from '../auth/viewer.js';
import { RangeArgs } from '../../platform/page.inputs.js';
import { Game } from '../games/games.model.js';
import { SendMessageInput } from './messages.inputs.js';
import { Message, MessageConnection } from './messages.model.js';
import { MessagesService } from './messages.service.js';
import { MessagesView } from './messages.view.js';

@Resolver(() => Game)
export class MessagesResolver {
  constructor(
    private readonly messages: MessagesService,
    private readonly view: MessagesView,
  ) {}

  @Mutation(() => Message, { description: 'Writes to your opponent, in a game or after it.' })
  async sendMessage(@SignedIn() viewer: Viewer, @Args('input') input: SendMessageInput): Promise<Message> {
    return this.view.message(await this.messages.send(viewer, input));
  }

  @ResolveField('messages', () => MessageConnection, {
    nullable: true,
    description: 'What the players wrote, in order; null for everybody but them.',
  })
  ofGame(
    @Parent() { row }: Game,
    @Viewing() viewer: Viewer | null,
    @Args() page: RangeArgs,
  ): Promise<MessageConnection | null> {
    return this.view.ofGame(row, viewer, page);
  }
}
