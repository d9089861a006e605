import { Injectable } from '@nestjs/common';
import type { Viewer } from '../auth/viewer.js';
import { Cursors } from '../../platform/cursors.js';
import { forwardPage, pageSize, type PageRequest } from '../../platform/page.js';
import { UsersService } from '../users/users.service.js';
import type { BlockedUserConnection } from './blocks.model.js';
import { BlocksService } from './blocks.service.js';
import type { BlockKey } from './blocks.store.js';

const ON_A_PAGE = 20;

/** From rows to what leaves: the same for both transports. */
@Injectable()
export class BlocksView {
  constructor(
    private readonly blocks: BlocksService,
    private readonly users: UsersService,
    private readonly cursors: Cursors,
  ) {}

  async made(viewer: Viewer, { first, after }: PageRequest): Promise<BlockedUserConnection> {
    const list = this.cursors.of<BlockKey>('blocks', viewer.userId);
    const size = pageSize(first, 'first', ON_A_PAGE);
    const behind = list.read(after, 'after');
    const keys = await this.blocks.made(viewer, behind, size + 1);
    const users = await this.users.byIds(keys.map(({ blockedId }) => blockedId));
    return forwardPage(
      keys,
      size,
      behind !== null,
      ({ createdAt, blockedId }) => list.make({ createdAt, blockedId }),
      ({ blockedId }) => users.get(blockedId)!,
    );
  }
}
