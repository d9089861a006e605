import { Injectable } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import { Cursors } from '../../platform/contract/cursors.js';
import { pageOf, type PageRequest, DEFAULT_PAGE_SIZE } from '../../platform/contract/page.js';
import { UsersService } from '../users/users.service.js';
import type { BlockedUserConnection } from './blocks.model.js';
import { BlocksService } from './blocks.service.js';
import type { BlockKey } from './blocks.store.js';

/** Converts rows for both transports. */
@Injectable()
export class BlocksView {
  constructor(
    private readonly blocks: BlocksService,
    private readonly users: UsersService,
    private readonly cursors: Cursors,
  ) {}

  made(viewer: Principal, page: PageRequest): Promise<BlockedUserConnection> {
    return pageOf(page, {
      cursors: this.cursors.of<BlockKey>('blocks', viewer.userId),
      size: DEFAULT_PAGE_SIZE,
      read: ({ after = null, limit }) => this.blocks.made(viewer, after, limit),
      key: ({ createdAt, blockedId }) => ({ createdAt, blockedId }),
      node: ({ blockedId }) => this.users.person(blockedId),
    });
  }
}
