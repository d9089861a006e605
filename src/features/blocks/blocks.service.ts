import { Injectable } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { badInput, DomainError } from '../../platform/errors.js';
import { gather } from '../../platform/gather.js';
import { Time } from '../../platform/time.js';
import type { User } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import { BlocksStore, type BlockKey, type Pair } from './blocks.store.js';

export type { BlockKey };

/** Who wants nothing from whom. Games that run are not touched by it. */
@Injectable()
export class BlocksService {
  private readonly apart = gather((pairs: readonly Pair[]) => this.whichApart(pairs));

  constructor(
    private readonly store: BlocksStore,
    private readonly users: UsersService,
    private readonly time: Time,
  ) {}

  /**
   * Blocks a user, whom it answers; once is as good as twice. No game between the two begins after it. Throws NOT_FOUND,
   * BAD_INPUT, ACCOUNT_CLOSED.
   */
  async block(viewer: Principal, username: string): Promise<User> {
    const user = await this.users.profile(username, 'username');
    if (user.id === viewer.userId) throw badInput('username', 'You cannot block yourself.');
    const ids = [viewer.userId, user.id];
    await this.store.insert(viewer.userId, user.id, this.time.now(), (tx) => this.users.hold(tx, ids));
    return user;
  }

  /** Takes a block back, if there is one. Throws NOT_FOUND. */
  async unblock(viewer: Principal, username: string): Promise<User> {
    const user = await this.users.profile(username, 'username');
    await this.store.delete(viewer.userId, user.id);
    return user;
  }

  /** Whom the viewer blocks, newest first. */
  made(viewer: Principal, after: BlockKey | null, limit: number): Promise<readonly BlockKey[]> {
    return this.store.made(viewer.userId, after, limit);
  }

  /** May the actor turn to the other user? Throws ACCOUNT_CLOSED, and BLOCKED when one of them has blocked the other. */
  async demandWelcome(actorId: string, otherId: string): Promise<void> {
    await this.users.demandOpen(otherId);
    await this.demandUnblocked(actorId, otherId);
  }

  /**
   * As demandWelcome, and it stays so until the transaction is over: both are held as by UsersService.hold. Throws
   * ACCOUNT_CLOSED, BLOCKED.
   */
  async holdWelcome(tx: Transaction, actorId: string, otherId: string): Promise<void> {
    await this.users.hold(tx, [actorId, otherId]);
    await this.demandUnblocked(actorId, otherId, tx);
  }

  /** Does one of the two block the other? All that are asked for at once are read by one statement. */
  areApart(one: string, other: string): Promise<boolean> {
    return this.apart([one, other]);
  }

  private async demandUnblocked(actorId: string, otherId: string, tx?: Transaction): Promise<void> {
    const blocks = await this.store.among(eitherWay([actorId, otherId]), tx);
    if (blocks.some(({ blockerId }) => blockerId === otherId)) {
      throw new DomainError('BLOCKED', 'This player does not want to hear from you.');
    }
    if (blocks.length > 0) {
      throw new DomainError('BLOCKED', 'You have blocked this player: unblock them first.');
    }
  }

  private async whichApart(pairs: readonly Pair[]): Promise<boolean[]> {
    const blocks = await this.store.among(pairs.flatMap(eitherWay));
    const found = new Set(blocks.flatMap(({ blockerId: a, blockedId: b }) => [`${a} ${b}`, `${b} ${a}`]));
    return pairs.map(([one, other]) => found.has(`${one} ${other}`));
  }
}

const eitherWay = ([one, other]: Pair): Pair[] => [[one, other], [other, one]]; // prettier-ignore
