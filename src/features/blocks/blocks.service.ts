import { Injectable } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { badInput, DomainError } from '../../platform/errors/errors.js';
import { batch } from '../../platform/gathering/batch.js';
import { Time } from '../../platform/process/time.js';
import type { User } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import { BlocksStore, type BlockKey, type Pair } from './blocks.store.js';

export type { BlockKey };

/** Blocks between users. They do not affect running games. */
@Injectable()
export class BlocksService {
  private readonly apart = batch((pairs: readonly Pair[]) => this.whichApart(pairs));

  constructor(
    private readonly store: BlocksStore,
    private readonly users: UsersService,
    private readonly time: Time,
  ) {}

  /**
   * Blocks a user and returns them; idempotent. No new game between the two begins afterwards. Throws NOT_FOUND,
   * BAD_INPUT, ACCOUNT_CLOSED.
   */
  async block(viewer: Principal, username: string): Promise<User> {
    const user = await this.users.profile(username, 'username');
    if (user.id === viewer.userId)
      throw badInput('username', 'username must not be your own: you cannot block yourself.');
    const ids = [viewer.userId, user.id];
    await this.store.insert(viewer.userId, user.id, this.time.now(), async (tx) => {
      await this.users.hold(tx, ids);
    });
    return user;
  }

  /** Removes a block if there is one. Throws NOT_FOUND. */
  async unblock(viewer: Principal, username: string): Promise<User> {
    const user = await this.users.profile(username, 'username');
    await this.store.delete(viewer.userId, user.id);
    return user;
  }

  /** The users that the viewer has blocked, newest first. */
  made(viewer: Principal, after: BlockKey | null, limit: number): Promise<readonly BlockKey[]> {
    return this.store.made(viewer.userId, after, limit);
  }

  /** Throws ACCOUNT_CLOSED, or BLOCKED if one of the two has blocked the other. */
  async assertNotBlocked(actorId: string, otherId: string): Promise<void> {
    await this.users.assertOpen(otherId);
    await this.demandUnblocked(actorId, otherId);
  }

  /** As assertNotBlocked, and locks both users until the end of the transaction. Throws ACCOUNT_CLOSED, BLOCKED. */
  async lockUnblocked(tx: Transaction, actorId: string, otherId: string): Promise<void> {
    await this.users.hold(tx, [actorId, otherId]);
    await this.demandUnblocked(actorId, otherId, tx);
  }

  /** Whether one of the two blocks the other; batched into one statement. */
  areApart(one: string, other: string): Promise<boolean> {
    return this.apart([one, other]);
  }

  private async demandUnblocked(actorId: string, otherId: string, tx?: Transaction): Promise<void> {
    const blocks = await this.store.among(eitherWay([actorId, otherId]), tx);
    if (blocks.some(({ blockerId }) => blockerId === otherId)) {
      throw new DomainError('BLOCKED', 'This user has blocked you. Wait until they remove the block.');
    }
    if (blocks.length > 0) {
      throw new DomainError('BLOCKED', 'You have blocked this user. Unblock them first.');
    }
  }

  private async whichApart(pairs: readonly Pair[]): Promise<boolean[]> {
    const blocks = await this.store.among(pairs.flatMap(eitherWay));
    const found = new Set(blocks.flatMap(({ blockerId: a, blockedId: b }) => [`${a} ${b}`, `${b} ${a}`]));
    return pairs.map(([one, other]) => found.has(`${one} ${other}`));
  }
}

const eitherWay = ([one, other]: Pair): Pair[] => [[one, other], [other, one]]; // prettier-ignore
