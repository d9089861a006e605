import { Body, Controller, Get, Headers, Param, Post, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { RangeArgs } from '../../platform/page.inputs.js';
import { IdParam } from '../games/games.inputs.js';
import { MessageInput } from './messages.inputs.js';
import { Message, MessageConnection } from './messages.model.js';
import { MessagesService } from './messages.service.js';
import { MessagesView } from './messages.view.js';

@ApiTags('messages')
@ApiBearerAuth()
@Controller('v1/games/:id/messages')
export class MessagesController {
  constructor(
    private readonly messages: MessagesService,
    private readonly view: MessagesView,
  ) {}

  @Get()
  @ApiOperation({ summary: 'What the players of a game wrote to each other, in order; for them alone' })
  @ApiQuery({ name: 'first', type: 'integer', required: false })
  @ApiQuery({ name: 'after', type: String, required: false })
  @ApiQuery({ name: 'last', type: 'integer', required: false })
  @ApiQuery({ name: 'before', type: String, required: false })
  @ApiOkResponse({ type: MessageConnection })
  own(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Query() page: RangeArgs,
  ): Promise<MessageConnection> {
    return this.view.own(viewer, id, page);
  }

  @Post()
  @ApiOperation({ summary: 'Writes to your opponent, in a game or after it' })
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'The same key makes no second message.',
  })
  @ApiCreatedResponse({ type: Message })
  async send(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() { text }: MessageInput,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<Message> {
    return this.view.message(await this.messages.send(viewer, { gameId: id, text, idempotencyKey }));
  }
}
