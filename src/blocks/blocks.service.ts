import { Injectable } from '@nestjs/common';
import type { Viewer } from '../auth/viewer.js';
import { DomainError } from '../platform/errors.js';
import { Time } from '../platform/time.js';
import type { User } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import { BlocksStore, type BlockKey } from './blocks.store.js';

/** Who wants nothing from whom. Games that run are not touched by it. */
@Injectable()
export class BlocksService {
  constructor(
    private readonly store: BlocksStore,
    private readonly users: UsersService,
    private readonly time: Time,
  ) {}

  /** Blocks a user, whom it answers; once is as good as twice. Throws NOT_FOUND, BAD_INPUT. */
  async block(viewer: Viewer, username: string): Promise<User> {
    const user = await this.named(username);
    if (user.id === viewer.userId) {
      throw new DomainError('BAD_INPUT', 'You cannot block yourself.', { field: 'username' });
    }
    await this.store.insert(viewer.userId, user.id, this.time.now());
    return user;
  }

  /** Takes a block back, if there is one. Throws NOT_FOUND. */
  async unblock(viewer: Viewer, username: string): Promise<User> {
    const user = await this.named(username);
    await this.store.delete(viewer.userId, user.id);
    return user;
  }

  /** Whom the viewer blocks, newest first. */
  made(viewer: Viewer, after: BlockKey | null, limit: number): Promise<readonly BlockKey[]> {
    return this.store.made(viewer.userId, after, limit);
  }

  /** May the actor turn to the other user? Throws BLOCKED when one of them has blocked the other. */
  async demandWelcome(actorId: string, otherId: string): Promise<void> {
    const blockers = await this.store.blockersOf(actorId, otherId);
    if (blockers.includes(otherId)) {
      throw new DomainError('BLOCKED', 'This player does not want to hear from you.');
    }
    if (blockers.includes(actorId)) {
      throw new DomainError('BLOCKED', 'You have blocked this player: unblock them first.');
    }
  }

  private async named(username: string): Promise<User> {
    const user = await this.users.byUsername(username);
    if (user !== null) return user;
    throw new DomainError('NOT_FOUND', 'Nobody has this username.', { field: 'username' });
  }
}
