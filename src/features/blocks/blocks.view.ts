import { Injectable } from '@nestjs/common';
import type { Viewer } from '../auth/viewer.js';
import { DomainError } from '../../platform/errors.js';
import {
  forwardPage,
  isMoment,
  isUuid,
  makeCursor,
  pageSize,
  readCursor,
  type PageRequest,
} from '../../platform/page.js';
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
  ) {}

  async made(viewer: Viewer, { first, after }: PageRequest): Promise<BlockedUserConnection> {
    const list = `blocks ${viewer.userId}`;
    const size = pageSize(first, 'first', ON_A_PAGE);
    const behind = after == null ? null : keyOf(list, after);
    const keys = await this.blocks.made(viewer, behind, size + 1);
    const users = await this.users.byIds(keys.map(({ blockedId }) => blockedId));
    return forwardPage(
      keys,
      size,
      behind !== null,
      ({ createdAt, blockedId }) => makeCursor(list, [createdAt.getTime(), blockedId]),
      ({ blockedId }) => users.get(blockedId)!,
    );
  }
}

function keyOf(list: string, cursor: string): BlockKey {
  const [at, blockedId] = readCursor(list, cursor, 'after');
  if (isMoment(at) && isUuid(blockedId)) return { createdAt: new Date(at), blockedId };
  throw new DomainError('INVALID_CURSOR', 'This is no cursor of this list.', { field: 'after' });
}
