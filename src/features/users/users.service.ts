import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { badInput, demand, DomainError } from '../../platform/errors.js';
import { gatherById } from '../../platform/gather.js';
import type { KeyedAct } from '../../platform/idempotency.js';
import { Time } from '../../platform/time.js';
import { lookOf } from './looks.js';
import { parseUsername, requireDisplayName } from './names.js';
import { User } from './users.model.js';
import { type Credentials, type Looks, type ProfileChange, UsersStore } from './users.store.js';
import { welcomeOf, type GivenWelcome } from './challenge-policy.js';

export interface Newcomer {
  readonly username: string;
  readonly displayName: string;
  readonly passwordHash: string;
}

/** What a user wants changed of himself; what is absent stays. */
export interface Profile extends GivenWelcome {
  readonly displayName?: string | null | undefined;
}

/** People as the other features know them. */
@Injectable()
export class UsersService implements OnApplicationBootstrap {
  /** As byId, but all that are asked for at once are read by one statement. */
  readonly one = gatherById(
    (ids) => this.byIds(ids),
    (id) => new Error(`There is no user ${id}`),
  );

  constructor(
    private readonly store: UsersStore,
    private readonly time: Time,
  ) {}

  /** Accounts that were made before looks were kept get theirs. */
  onApplicationBootstrap(): Promise<void> {
    return this.store.workOutLooks(looksOf);
  }

  async byUsername(username: string): Promise<User | null> {
    const name = parseUsername(username);
    return name === null ? null : this.store.byUsername(name);
  }

  /** The user of this name; throws NOT_FOUND, naming the field that it came in. */
  async profile(username: string, field?: string): Promise<User> {
    const details = field === undefined ? {} : { field };
    return demand(
      await this.byUsername(username),
      () => new DomainError('NOT_FOUND', 'Nobody has this username.', details),
    );
  }

  /** A user that is known to exist, as the viewer is: a closed account is shown as one, and never deleted. */
  async byId(id: string): Promise<User> {
    const [user] = await this.store.byIds([id]);
    return demand(user, () => new DomainError('NOT_FOUND', 'There is no such user.'));
  }

  /** Those that exist, by id. */
  async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, User>> {
    const users = await this.store.byIds(ids);
    return new Map(users.map((user) => [user.id, user]));
  }

  /** What a login is held against. The name is a parsed one. */
  credentials(username: string): Promise<Credentials | null> {
    return this.store.credentials(username);
  }

  /** Has nobody this username, not even an account that was closed lately? The name is a parsed one. */
  isFree(username: string): Promise<boolean> {
    return this.store.isFree(username);
  }

  /** The new user, or null when the name is taken. The key is stored with the user, or neither. Throws NAME_TAKEN. */
  create(newcomer: Newcomer, act: KeyedAct | null): Promise<User | null> {
    const { username, displayName } = newcomer;
    const row = { ...newcomer, ...looksOf(username, displayName), id: uuid(), createdAt: this.time.now() };
    return this.store.create(row, act, (tx) => this.takeLooks(tx, displayName, username));
  }

  /** Throws NAME_TAKEN where a display name looks like a name of somebody else, also when it is the own username. */
  async demandOwnLook(displayName: string, username: string, tx?: Transaction): Promise<void> {
    if (!(await this.store.isSomebodysLook(lookOf(displayName), username, tx))) return;
    throw new DomainError(
      'NAME_TAKEN',
      `The display name ${displayName} looks like the name of another player: choose another one.`,
      { field: 'displayName' },
    );
  }

  /** The same, and nobody takes such a name before the transaction is over. */
  private async takeLooks(tx: Transaction, displayName: string, username: string): Promise<void> {
    await this.store.holdLooks(tx, Object.values(looksOf(username, displayName)));
    await this.demandOwnLook(displayName, username, tx);
  }

  /** Does somebody still use the account? Throws ACCOUNT_CLOSED. */
  async demandOpen(id: string): Promise<void> {
    if ((await this.one(id)).closed) throw accountClosed();
  }

  /**
   * Holds users until the transaction is over, so that no game, seek or vacation of theirs begins meanwhile and none of
   * them closes his account. Throws ACCOUNT_CLOSED.
   */
  async hold(tx: Transaction, ids: readonly string[]): Promise<void> {
    if (!(await this.store.hold(tx, ids))) throw accountClosed();
  }

  /** Throws ACCOUNT_CLOSED, NAME_TAKEN, and BAD_INPUT, also when nothing is to be changed. */
  async update(id: string, { displayName, ...welcome }: Profile): Promise<User> {
    const name = displayName == null ? null : requireDisplayName(displayName);
    const change = { ...welcomeOf(welcome) };
    if (name === null && Object.keys(change).length === 0) {
      throw badInput('displayName', 'Say what is to be changed: displayName, or challengesFrom.');
    }
    const renamed = name === null ? this.store.update(id, change) : this.rename(id, name, change);
    return demand(await renamed, accountClosed);
  }

  private async rename(id: string, displayName: string, change: ProfileChange): Promise<User | null> {
    const { username, displayName: before, closed } = await this.byId(id);
    if (closed) throw accountClosed();
    const displayLook = lookOf(displayName);
    const named = { ...change, displayName, displayLook };
    // Somebody's username may have come to look like it, which is no reason to lose it.
    if (displayLook === lookOf(before)) return this.store.update(id, named);
    return this.store.rename(id, named, (tx) => this.takeLooks(tx, displayName, username));
  }
}

const looksOf = (username: string, displayName: string): Looks => ({
  usernameLook: lookOf(username),
  displayLook: lookOf(displayName),
});

export const accountClosed = (): DomainError =>
  new DomainError('ACCOUNT_CLOSED', 'This account is closed: nobody plays or reads there any more.');
