import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { PageArgs } from '../../platform/page.inputs.js';
import { InboxConnection } from './inbox.model.js';
import { InboxView } from './inbox.view.js';

@ApiTags('challenges')
@ApiBearerAuth()
@Controller('v1/inbox')
export class InboxController {
  constructor(private readonly view: InboxView) {}

  @Get()
  @ApiOperation({
    summary: 'What waits for your answer, newest first: challenges, rematches, and offers in games',
  })
  @ApiQuery({ name: 'first', type: 'integer', required: false })
  @ApiQuery({ name: 'after', type: String, required: false })
  @ApiOkResponse({ type: InboxConnection })
  page(@SignedIn() viewer: Viewer, @Query() page: PageArgs): Promise<InboxConnection> {
    return this.view.page(viewer, page);
  }
}
