import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { badInput, orThrow, DomainError } from '../../platform/errors/errors.js';
import { batchById } from '../../platform/gathering/batch.js';
import { visibleText } from '../../platform/contract/user-text.js';
import type { KeyedAct } from '../../platform/idempotency/idempotency.js';
import { Time } from '../../platform/process/time.js';
import { shown } from '../../rules/shown.js';
import { lookOf, looksOf } from './looks.js';
import { newGuestName, parseUsername, requireDisplayName } from './names.js';
import { MOST_FOUND, MOST_OF_A_PREFIX } from './users.inputs.js';
import type { AnyPlayer, User } from './users.model.js';
import {
  type Credentials,
  type HeldUser,
  type Looks,
  type ProfileChange,
  USER_AS_JSON,
  playerOfJson,
  UsersStore,
} from './users.store.js';
import { challengePolicyOf, type ChallengePolicyInput } from './challenge-policy.js';

export type { Credentials, HeldUser };

export interface Newcomer {
  readonly username: string;
  readonly displayName: string;
  readonly passwordHash: string;
}

/** The requested changes of a profile; absent parts stay. */
export interface Profile extends ChallengePolicyInput {
  readonly displayName?: string | null | undefined;
}

export type { JsonUser } from './users.store.js';

/** The users, for the other features. */
@Injectable()
export class UsersService implements OnApplicationBootstrap {
  /** A user or player that is known to exist, such as the viewer: closed accounts are never deleted. */
  readonly one = batchById<AnyPlayer>(
    (ids) => this.byIds(ids),
    (id) => new DomainError('NOT_FOUND', `The user ${id} was not found.`),
  );

  /** The same, who is no player of an application. */
  async person(id: string): Promise<User> {
    const found = await this.one(id);
    if (found.username === null) throw new DomainError('NOT_FOUND', `The user ${id} was not found.`);
    return found;
  }

  /** A user, or null; concurrent calls are batched into one statement. */
  readonly found = batchById<AnyPlayer | null>(
    (ids) => this.byIds(ids),
    () => null,
  );

  /** For statements of other stores that return users: a user `u` as a value, and the user of such a value. */
  readonly asJson = USER_AS_JSON;
  readonly ofJson = playerOfJson;

  constructor(
    private readonly store: UsersStore,
    private readonly time: Time,
  ) {}

  /** Computes the looks of accounts that are older than this feature. */
  onApplicationBootstrap(): Promise<void> {
    return this.store.workOutLooks(storedLooks);
  }

  async byUsername(username: string): Promise<User | null> {
    const name = parseUsername(username);
    return name === null ? null : this.store.byUsername(name);
  }

  /** The user of this name. Throws NOT_FOUND for `field`. */
  async profile(username: string, field: string): Promise<User> {
    return orThrow(
      await this.byUsername(username),
      () => new DomainError('NOT_FOUND', `The user ${shown(username)} was not found.`, { field }),
    );
  }

  /** At most MOST_FOUND users whose username or display name begins so. Throws BAD_INPUT. */
  async beginningWith(prefix: string): Promise<readonly User[]> {
    const begun = visibleText(prefix, 'prefix', MOST_OF_A_PREFIX);
    const look = { username: begun.toLowerCase(), displayLook: displayLookOf(begun) };
    return this.store.beginningWith(look, MOST_FOUND);
  }

  /** The existing users among these, by id. */
  async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, AnyPlayer>> {
    const users = await this.store.byIds(ids);
    return new Map(users.map((user) => [user.id, user]));
  }

  /** The credentials of a parsed username. */
  credentials(username: string): Promise<Credentials | null> {
    return this.store.credentials(username);
  }

  /** False if the account is closed or has another password than that with the hash `from`. */
  changePassword(tx: Transaction, id: string, from: string, to: string): Promise<boolean> {
    return this.store.changePassword(tx, id, from, to);
  }

  /** Whether a parsed username is free; that of a recently closed account is not. */
  isFree(username: string): Promise<boolean> {
    return this.store.isFree(username);
  }

  /** The new user, or null if the name is taken. The key is stored in the same transaction. Throws NAME_TAKEN. */
  create(newcomer: Newcomer, act: KeyedAct | null): Promise<User | null> {
    const { username, displayName } = newcomer;
    const row = {
      kind: 'person' as const,
      ...newcomer,
      ...storedLooks(username, displayName),
      id: uuid(),
      createdAt: this.time.now(),
    };
    return this.store.create(row, act, (tx) => this.takeNames(tx, displayName, username));
  }

  /** A new guest, under a name that nobody has. Throws NAME_TAKEN. */
  async createGuest(given: string | null): Promise<User> {
    const username = newGuestName();
    const displayName = given ?? username;
    const row = {
      ...{
        kind: 'guest' as const,
        username,
        displayName,
        passwordHash: '',
        challengesFrom: 'nobody' as const,
      },
      ...storedLooks(username, displayName),
      ...{ id: uuid(), createdAt: this.time.now() },
    };
    const guest = await this.store.create(row, null, (tx) => this.takeLooks(tx, displayName, username));
    // One in 37 billion: the name was taken.
    return guest ?? this.createGuest(given);
  }

  /**
   * Makes a guest or a managed player a person, who leaves the application, in a transaction. Null if they are a person
   * already or closed, or the name is taken. Throws NAME_TAKEN.
   */
  async claim(tx: Transaction, id: string, newcomer: Newcomer): Promise<User | null> {
    const { username, displayName } = newcomer;
    await this.takeNames(tx, displayName, username);
    return this.store.claim(tx, id, { ...newcomer, ...storedLooks(username, displayName) });
  }

  /** Throws NAME_TAKEN if a display name looks like the username of another user, even if it is the user's own username. */
  async assertNameUnlike(displayName: string, username: string, tx?: Transaction): Promise<void> {
    if (!(await this.store.isUsernameLook(looksOf(displayName), username, tx))) return;
    throw new DomainError(
      'NAME_TAKEN',
      `The display name ${shown(displayName)} looks like the username of another user. Choose another one.`,
      { field: 'displayName' },
    );
  }

  /** Throws NAME_TAKEN if a new username looks like that of another user. */
  async assertUsernameUnlike(username: string, tx?: Transaction): Promise<void> {
    if (!(await this.store.isUsernameLook(looksOf(username), username, tx))) return;
    throw new DomainError(
      'NAME_TAKEN',
      `The username ${username} looks like that of another user. Choose another one.`,
      { field: 'username' },
    );
  }

  /** The same as both, for a new username, and locks all looks until the end of the transaction. */
  private async takeNames(tx: Transaction, displayName: string, username: string): Promise<void> {
    await this.takeLooks(tx, displayName, username);
    await this.assertUsernameUnlike(username, tx);
  }

  /** As assertNameUnlike, and locks both looks until the end of the transaction. */
  private async takeLooks(tx: Transaction, displayName: string, username: string): Promise<void> {
    await this.store.holdLooks(tx, [lookOf(username), ...looksOf(displayName)]);
    await this.assertNameUnlike(displayName, username, tx);
  }

  /** Throws ACCOUNT_CLOSED if the account is closed. */
  async assertOpen(id: string): Promise<void> {
    if ((await this.one(id)).closed) throw accountClosed();
  }

  /**
   * Locks users until the end of the transaction, so that meanwhile none of them starts a game, seek or vacation, or
   * closes the account. Throws ACCOUNT_CLOSED.
   */
  async hold(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, HeldUser>> {
    return orThrow(await this.store.hold(tx, ids), accountClosed);
  }

  /** Throws ACCOUNT_CLOSED, NAME_TAKEN, and BAD_INPUT, also if the request changes nothing. */
  async update(id: string, { displayName, ...policy }: Profile): Promise<User> {
    const name = displayName == null ? null : requireDisplayName(displayName);
    const change = { ...challengePolicyOf(policy) };
    if (name === null && Object.keys(change).length === 0) {
      throw badInput('displayName', 'The request changes nothing. Send displayName or challengesFrom.');
    }
    const renamed = name === null ? this.store.update(id, change) : this.rename(id, name, change);
    return orThrow(await renamed, accountClosed);
  }

  private async rename(id: string, displayName: string, change: ProfileChange): Promise<User | null> {
    const { username, displayName: before, closed } = await this.person(id);
    if (closed) throw accountClosed();
    const named = { ...change, displayName, displayLook: displayLookOf(displayName) };
    const looksBefore = looksOf(before);
    // An unchanged look stays allowed even if another user has a similar username by now.
    if (looksOf(displayName).every((look) => looksBefore.includes(look))) return this.store.update(id, named);
    return this.store.rename(id, named, (tx) => this.takeLooks(tx, displayName, username));
  }
}

/** In lower case, so that display names are found by any spelling. */
const displayLookOf = (displayName: string): string => lookOf(displayName.toLowerCase());

const storedLooks = (username: string, displayName: string): Looks => ({
  usernameLook: lookOf(username),
  displayLook: displayLookOf(displayName),
});

export const accountClosed = (): DomainError =>
  new DomainError('ACCOUNT_CLOSED', 'This account is closed and cannot be used any more.');
