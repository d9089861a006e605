import { Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { User } from '../users/users.model.js';
import { PageArgs } from '../../platform/page.inputs.js';
import { BlockedUserConnection } from './blocks.model.js';
import { BlocksService } from './blocks.service.js';
import { BlocksView } from './blocks.view.js';

@ApiTags('blocks')
@ApiBearerAuth()
@Controller('v1/me/blocks')
export class BlocksController {
  constructor(
    private readonly blocks: BlocksService,
    private readonly view: BlocksView,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Whom you block, newest first' })
  @ApiQuery({ name: 'first', type: 'integer', required: false })
  @ApiQuery({ name: 'after', type: String, required: false })
  @ApiOkResponse({ type: BlockedUserConnection })
  made(@SignedIn() viewer: Viewer, @Query() page: PageArgs): Promise<BlockedUserConnection> {
    return this.view.made(viewer, page);
  }

  @Put(':username')
  @ApiOperation({ summary: 'Blocks a user: no challenges, seeks accepted or messages from there' })
  @ApiOkResponse({ type: User })
  block(@SignedIn() viewer: Viewer, @Param('username') username: string): Promise<User> {
    return this.blocks.block(viewer, username);
  }

  @Delete(':username')
  @ApiOperation({ summary: 'Takes a block back, if there is one' })
  @ApiOkResponse({ type: User })
  unblock(@SignedIn() viewer: Viewer, @Param('username') username: string): Promise<User> {
    return this.blocks.unblock(viewer, username);
  }
}
