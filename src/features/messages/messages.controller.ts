import { Body, Controller, Get, Headers, Param, Post, Query } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RouteOf, type RestPayloadOf } from '../../platform/verb.js';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { listPageBothWays, ListsBothWays } from '../../platform/listed.js';
import { RangeArgs } from '../../platform/page.inputs.js';
import { IdParam } from '../games/games.inputs.js';
import { SendMessageBody } from './messages.inputs.js';
import { MessagePage } from './messages.model.js';
import { MessagesService } from './messages.service.js';
import { SEND_MESSAGE } from './messages.verbs.js';
import { MessagesView } from './messages.view.js';

@ApiTags('messages')
@Controller('v1/games/:id/messages')
export class MessagesController {
  constructor(
    private readonly messages: MessagesService,
    private readonly view: MessagesView,
  ) {}

  @Get()
  @ApiOperation({ summary: 'What the players of a game wrote to each other, in order; for them alone' })
  @ListsBothWays(MessagePage)
  async own(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Query() page: RangeArgs,
  ): Promise<MessagePage> {
    return listPageBothWays(await this.view.own(viewer, id, page));
  }

  @Post()
  @RouteOf(SEND_MESSAGE, 201)
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'The same key makes no second message.',
  })
  async send(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() { text }: SendMessageBody,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<RestPayloadOf<typeof SEND_MESSAGE>> {
    return {
      message: this.view.message(await this.messages.send(viewer, { gameId: id, text, idempotencyKey })),
    };
  }
}
