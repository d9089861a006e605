import { Injectable } from '@nestjs/common';
import { ALL_SCOPES, GUEST_SCOPES } from '../../platform/contract/scopes.js';
import { orThrow, DomainError } from '../../platform/errors/errors.js';
import { Idempotency, type KeyedAct, keyedAct, keyReused } from '../../platform/idempotency/idempotency.js';
import { Time } from '../../platform/process/time.js';
import { Outbox } from '../delivery/outbox.js';
import { parseUsername, requireDisplayName, requireUsername } from '../users/names.js';
import type { User } from '../users/users.model.js';
import { type Credentials, UsersService } from '../users/users.service.js';
import { AccessTokens, unauthenticated } from './access-tokens.js';
import { AccountLinks } from './account-links.js';
import { Attempts } from './attempts.js';
import type { ChangePasswordInput, LoginInput, RegisterBody } from './auth.inputs.js';
import type { OpenedSession, Session } from './auth.model.js';
import type { ClientOf } from './device.js';
import { KnownDevices } from './known-devices.js';
import { Passwords } from './passwords.js';
import { type OpenSession, Sessions } from './sessions.js';
import type { Principal } from './principal.js';

/** Registration, sessions and passwords. */
@Injectable()
export class AuthService {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: Passwords,
    private readonly attempts: Attempts,
    private readonly sessions: Sessions,
    private readonly tokens: AccessTokens,
    private readonly idempotency: Idempotency,
    private readonly links: AccountLinks,
    private readonly devices: KnownDevices,
    private readonly outbox: Outbox,
    private readonly time: Time,
  ) {}

  /**
   * Creates an account and opens a session. With a key at most one account is created, and each retry gets a new
   * session.
   */
  async register(input: RegisterBody, key: string | null | undefined, client: ClientOf): Promise<Session> {
    const username = requireUsername(input.username);
    const displayName = requireDisplayName(input.displayName ?? input.username);
    // Leaves out the password: its fast hash would be stored beside the slow one.
    const act = keyedAct(`username:${username}`, key, 'register', { username, displayName });
    const newcomer = { username, displayName, password: input.password };
    const made = await this.idempotency.once(
      act,
      () => this.make(newcomer, act, client),
      // A different password makes it a different request.
      async () => orThrow(await this.attempt(username, input.password, client), keyReused),
    );
    const { user, passwordHash } = orThrow(made, () => usernameTaken(username));
    return this.openFor(user, passwordHash, client);
  }

  /** Opens the session of a guest who was just made. */
  async openGuest(user: User, { address, device }: ClientOf): Promise<Session> {
    const session = await this.sessions.open({ userId: user.id, passwordHash: '' }, device, 'guest');
    return this.shown(orThrow(session, accountClosed), user, address);
  }

  /** Does what makes a person, counted for the address if it succeeds. Throws RATE_LIMITED. */
  async counted<T>(client: ClientOf, make: () => Promise<T | null>): Promise<T | null> {
    await this.attempts.register(client);
    let made: T | null = null;
    try {
      return (made = await make());
    } finally {
      if (made === null) await this.attempts.unregister(client);
    }
  }

  /** The hash of a new password of a person with these names. Throws BAD_INPUT, PASSWORD_TOO_COMMON. */
  async hashNew(password: string, names: readonly string[], address: string): Promise<string> {
    await this.passwords.assertStrong(password, names);
    return this.passwords.hash(password, address);
  }

  /** Opens a session of a person who has just got this password. */
  async openFor(user: User, passwordHash: string, client: ClientOf): Promise<Session> {
    const session = await this.openSession({ user, passwordHash }, client);
    await this.devices.see(user.id, client);
    return session;
  }

  /** Gives the same answer after the same time, whether the account is missing or the password is wrong. */
  async login({ username, password }: LoginInput, client: ClientOf): Promise<Session> {
    const proven = orThrow(await this.attempt(parseUsername(username), password, client), wrongLogin);
    const session = await this.openSession(proven, client);
    const { id } = session.user;
    if (await this.devices.see(id, client)) {
      await this.outbox.tell(id, 'newSignIn', { at: this.time.now().toISOString(), device: client.device });
    }
    return session;
  }

  async refresh(refreshToken: string, { address }: ClientOf): Promise<Session> {
    const session = await this.sessions.renew(refreshToken);
    return this.shown(session, await this.users.person(session.userId), address);
  }

  /** How many sessions have ended. */
  logout(viewer: Principal): Promise<number> {
    return this.sessions.end(viewer);
  }

  /** The open sessions of the viewer. */
  async sessionsOf({ userId, sessionId }: Principal): Promise<readonly OpenedSession[]> {
    const sessions = await this.sessions.listed(userId);
    return sessions.map(({ revokedAt: _, lastUsedAt, ...session }) => ({
      ...session,
      lastUsedAt: lastUsedAt ?? session.createdAt,
      isCurrent: session.id === sessionId,
    }));
  }

  /** How many sessions have ended. Throws NOT_FOUND if the viewer has no open session with this id. */
  async endSession({ userId, sessionId }: Principal, id: string): Promise<number> {
    const ended = await this.sessions.end({ userId, sessionId: id });
    if (ended > 0 || id === sessionId) return ended;
    throw new DomainError('NOT_FOUND', `You have no open session with the id ${id}.`, { field: 'id' });
  }

  /** How many sessions have ended: all, or all but that of the viewer. */
  endSessions({ userId, sessionId }: Principal, all: boolean): Promise<number> {
    // With all, an address that waits for its link is forgotten as well: somebody else may have named it.
    return all
      ? this.sessions.endAll(userId, null, (tx) => this.links.revokeAll(tx, userId))
      : this.sessions.endAll(userId, sessionId);
  }

  /** Notes that the viewer has given the password, for what changes the ways in. Throws as confirmed. */
  async confirm(viewer: Principal, password: string, client: ClientOf): Promise<Date> {
    await this.confirmed(viewer, password, client);
    return this.sessions.confirm(viewer);
  }

  /** Changes the password, and returns how many other sessions have ended. Throws as confirmed, and for a weak one. */
  async changePassword(
    viewer: Principal,
    { current, password }: ChangePasswordInput,
    client: ClientOf,
  ): Promise<number> {
    const { user, passwordHash } = await this.confirmed(viewer, current, client, 'current');
    const next = await this.hashNew(password, [user.username, user.displayName], client.address);
    const ended = await this.sessions.endAll(viewer.userId, viewer.sessionId, async (tx) => {
      const isChanged = await this.users.changePassword(tx, viewer.userId, passwordHash, next);
      // Somebody else has changed it meanwhile.
      if (!isChanged) throw wrongPassword('current');
      await this.links.revokeAll(tx, viewer.userId);
      await this.outbox.tell(viewer.userId, 'passwordChanged', { at: this.time.now().toISOString() }, tx);
    });
    await this.sessions.confirm(viewer);
    return ended;
  }

  /** The viewer, after checking their password again. Throws INVALID_CREDENTIALS, RATE_LIMITED, UNAUTHENTICATED. */
  async confirmed(
    { userId }: Principal,
    password: string,
    client: ClientOf,
    field = 'password',
  ): Promise<Credentials> {
    const { username, closed } = await this.users.person(userId);
    if (closed) throw unauthenticated();
    const proven = orThrow(await this.attempt(username, password, client, true), () => wrongPassword(field));
    this.attempts.proved(client.address, username);
    return proven;
  }

  /** The new user, counted for the address; null if the name is taken. */
  private async make(
    { password, ...names }: { username: string; displayName: string; password: string },
    act: KeyedAct | null,
    client: ClientOf,
  ): Promise<Credentials | null> {
    // The cheap checks come first: a hash takes a thousand times as long.
    await this.passwords.assertStrong(password, [names.username, names.displayName]);
    await this.users.assertUsernameUnlike(names.username);
    await this.users.assertNameUnlike(names.displayName, names.username);
    if (!(await this.users.isFree(names.username))) return null;
    return this.counted(client, async () => {
      const passwordHash = await this.passwords.hash(password, client.address);
      const user = await this.users.create({ ...names, passwordHash }, act);
      return user && { user, passwordHash };
    });
  }

  /** As prove, but counts wrong passwords. Throws RATE_LIMITED. */
  private async attempt(
    username: string | null,
    password: string,
    client: ClientOf,
    hasSession = false,
  ): Promise<Credentials | null> {
    await this.attempts.begin(client, username, hasSession);
    const proven = await this.prove(username, password, client.address).catch(async (error: unknown) => {
      // The password was not checked, so it does not count as wrong.
      await this.attempts.unlooked(client, username);
      throw error;
    });
    if (proven !== null) await this.attempts.succeeded(client, proven.user.username);
    return proven;
  }

  private async prove(
    username: string | null,
    password: string,
    address: string,
  ): Promise<Credentials | null> {
    const credentials = username === null ? null : await this.users.credentials(username);
    const isRight = await this.passwords.verify(password, credentials?.passwordHash ?? null, address);
    return isRight ? credentials : null;
  }

  private async openSession(
    { user, passwordHash }: Credentials,
    { address, device }: ClientOf,
  ): Promise<Session> {
    const session = await this.sessions.open({ userId: user.id, passwordHash }, device);
    if (session !== null) return this.shown(session, user, address);
    // Between the check of the password and now.
    throw (await this.users.one(user.id)).closed ? accountClosed() : wrongLogin();
  }

  private shown(session: OpenSession, user: User, address: string): Session {
    // Nobody guesses the password of a guest, and thousands of guests must not displace the addresses of persons.
    if (session.kind !== 'guest') this.attempts.proved(address, user.username);
    const { id, refreshToken, expiresAt } = session;
    const scopes = session.kind === 'guest' ? GUEST_SCOPES : ALL_SCOPES;
    const token = this.tokens.sign(user.id, id, scopes, session.kind);
    return { id, ...token, refreshToken, refreshTokenExpiresAt: expiresAt, user };
  }
}

const wrongLogin = (): DomainError => new DomainError('INVALID_CREDENTIALS', 'Wrong username or password.');

const wrongPassword = (field: string): DomainError =>
  new DomainError('INVALID_CREDENTIALS', 'Wrong password.', { field });

const accountClosed = (): DomainError =>
  new DomainError(
    'ACCOUNT_CLOSED',
    'This account is closed and cannot be used any more. Use another account.',
  );

export const usernameTaken = (username: string): DomainError =>
  new DomainError('USERNAME_TAKEN', `The username ${username} is taken. Choose another one.`, {
    field: 'username',
  });
