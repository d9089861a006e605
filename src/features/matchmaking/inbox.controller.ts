import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { listPage, Lists } from '../../platform/listed.js';
import { PageArgs } from '../../platform/page.inputs.js';
import { InboxPage } from './inbox.model.js';
import { InboxView } from './inbox.view.js';

@ApiTags('challenges')
@Controller('v1/inbox')
export class InboxController {
  constructor(private readonly view: InboxView) {}

  @Get()
  @ApiOperation({
    summary: 'What waits for your answer, newest first: challenges, rematches, and offers in games',
  })
  @Lists(InboxPage)
  async page(@SignedIn() viewer: Viewer, @Query() page: PageArgs): Promise<InboxPage> {
    return listPage(await this.view.page(viewer, page));
  }
}
