import { Body, Controller, Get, Headers, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/contract/access.js';
import { Refuses, RouteOf, type RestPayloadOf } from '../../platform/contract/verb.js';
import { OfQuotas } from '../auth/device.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { PaginatedBothWays } from '../../platform/contract/paginated.js';
import { LongRangeArgs } from '../../platform/contract/page.inputs.js';
import type { Quotas } from '../../platform/limits/quotas.js';
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

  @Needs('messages:read')
  @Get()
  @Refuses('NOT_YOUR_GAME')
  @ApiOperation({ operationId: 'messages', summary: 'The messages of your game, oldest first.' })
  @PaginatedBothWays(MessagePage)
  own(
    @SignedIn() viewer: Principal,
    @Param() { id }: IdParam,
    @Query() page: LongRangeArgs,
  ): Promise<MessagePage> {
    return this.view.own(viewer, id, page);
  }

  @Post()
  @RouteOf(SEND_MESSAGE, 201)
  async send(
    @SignedIn() viewer: Principal,
    @Param() { id }: IdParam,
    @Body() { text }: SendMessageBody,
    @OfQuotas() quotas: Quotas,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<RestPayloadOf<typeof SEND_MESSAGE>> {
    const row = await this.messages.send(viewer, { gameId: id, text, idempotencyKey }, quotas);
    return { message: this.view.message(row) };
  }
}
