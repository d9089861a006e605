import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { NeedsKind } from '../../platform/contract/access.js';
import { MAX_PAGE_SIZE } from '../../platform/contract/page.js';
import { listPage, Paginated } from '../../platform/contract/paginated.js';
import { OfApplication, type Principal } from '../auth/principal.js';
import { OF_ONE_GAME, OwnMessagesArgs } from './messages.inputs.js';
import { OwnMessagePage } from './messages.model.js';
import { MessagesView } from './messages.view.js';

@ApiTags('applications')
@Controller('v1/application/messages')
export class OwnMessagesController {
  constructor(private readonly view: MessagesView) {}

  @NeedsKind('application', 'application')
  @Get()
  @ApiOperation({
    operationId: 'ownMessages',
    summary: 'The messages in the games of your application, or in one of these, oldest first.',
  })
  @ApiQuery({ name: 'gameId', type: String, required: false, description: OF_ONE_GAME })
  @Paginated(OwnMessagePage, MAX_PAGE_SIZE)
  async ofApplication(
    @OfApplication() application: Principal,
    @Query() { gameId, ...page }: OwnMessagesArgs,
  ): Promise<OwnMessagePage> {
    return listPage(await this.view.ofApplication(application, gameId ?? null, page));
  }
}
