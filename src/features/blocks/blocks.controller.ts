import { Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/contract/access.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { RouteOf, type RestPayloadOf } from '../../platform/contract/verb.js';
import { listPage, Paginated } from '../../platform/contract/paginated.js';
import { PageArgs } from '../../platform/contract/page.inputs.js';
import { BlockedUserPage } from './blocks.model.js';
import { BlocksService } from './blocks.service.js';
import { BLOCK_USER, UNBLOCK_USER } from './blocks.verbs.js';
import { BlocksView } from './blocks.view.js';

@ApiTags('blocks')
@Controller('v1/me/blocks')
export class BlocksController {
  constructor(
    private readonly blocks: BlocksService,
    private readonly view: BlocksView,
  ) {}

  @Needs('profile:read')
  @Get()
  @ApiOperation({ operationId: 'blockedUsers', summary: 'The users whom you block, newest first.' })
  @Paginated(BlockedUserPage)
  async made(@SignedIn() viewer: Principal, @Query() page: PageArgs): Promise<BlockedUserPage> {
    return listPage(await this.view.made(viewer, page));
  }

  @Put(':username')
  @RouteOf(BLOCK_USER)
  async block(
    @SignedIn() viewer: Principal,
    @Param('username') username: string,
  ): Promise<RestPayloadOf<typeof BLOCK_USER>> {
    return { user: await this.blocks.block(viewer, username) };
  }

  @Delete(':username')
  @RouteOf(UNBLOCK_USER)
  async unblock(
    @SignedIn() viewer: Principal,
    @Param('username') username: string,
  ): Promise<RestPayloadOf<typeof UNBLOCK_USER>> {
    return { user: await this.blocks.unblock(viewer, username) };
  }
}
