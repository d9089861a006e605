import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/contract/access.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { listPage, Paginated } from '../../platform/contract/paginated.js';
import { PageArgs } from '../../platform/contract/page.inputs.js';
import { INBOX, InboxPage } from './inbox.model.js';
import { InboxView } from './inbox.view.js';

@ApiTags('challenges')
@Controller('v1/inbox')
export class InboxController {
  constructor(private readonly view: InboxView) {}

  @Needs('challenges:read', 'games:read')
  @Get()
  @ApiOperation({ operationId: 'inbox', summary: INBOX })
  @Paginated(InboxPage)
  async page(@SignedIn() viewer: Principal, @Query() page: PageArgs): Promise<InboxPage> {
    return listPage(await this.view.page(viewer, page));
  }
}
