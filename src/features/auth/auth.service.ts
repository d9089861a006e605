import { Injectable } from '@nestjs/common';
import { orThrow, DomainError } from '../../platform/errors/errors.js';
import { Idempotency, type KeyedAct, keyedAct, keyReused } from '../../platform/idempotency/idempotency.js';
import { parseUsername, requireDisplayName, requireUsername } from '../users/names.js';
import type { User } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import { AccessTokens, unauthenticated } from './access-tokens.js';
import { Attempts } from './attempts.js';
import type { LoginInput, RegisterBody } from './auth.inputs.js';
import type { Session } from './auth.model.js';
import { Passwords } from './passwords.js';
import { type OpenSession, Sessions } from './sessions.js';
import type { Principal } from './principal.js';

/** Registration, login and logout. */
@Injectable()
export class AuthService {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: Passwords,
    private readonly attempts: Attempts,
    private readonly sessions: Sessions,
    private readonly tokens: AccessTokens,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * Creates an account and opens a session. With a key at most one account is created, and each retry gets a new
   * session.
   */
  async register(input: RegisterBody, key: string | null | undefined, address: string): Promise<Session> {
    const username = requireUsername(input.username);
    const displayName = requireDisplayName(input.displayName ?? input.username);
    // Leaves out the password: its fast hash would be stored beside the slow one.
    const act = keyedAct(`username:${username}`, key, 'register', { username, displayName });
    const newcomer = { username, displayName, password: input.password };
    const user = await this.idempotency.once(
      act,
      () => this.make(newcomer, act, address),
      // A different password makes it a different request.
      async () => orThrow(await this.attempt(username, input.password, address), keyReused),
    );
    return this.openSession(
      orThrow(user, () => usernameTaken(username)),
      address,
    );
  }

  /** Gives the same answer after the same time, whether the account is missing or the password is wrong. */
  async login({ username, password }: LoginInput, address: string): Promise<Session> {
    const user = orThrow(
      await this.attempt(parseUsername(username), password, address),
      () => new DomainError('INVALID_CREDENTIALS', 'Wrong username or password.'),
    );
    return this.openSession(user, address);
  }

  async refresh(refreshToken: string, address: string): Promise<Session> {
    const session = await this.sessions.renew(refreshToken);
    return this.shown(session, await this.users.one(session.userId), address);
  }

  /** How many sessions have ended. */
  logout(viewer: Principal): Promise<number> {
    return this.sessions.end(viewer);
  }

  /** How many sessions have ended. */
  logoutEverywhere({ userId }: Principal): Promise<number> {
    return this.sessions.endAll(userId);
  }

  /** The viewer, after checking their password again. Throws INVALID_CREDENTIALS, RATE_LIMITED, UNAUTHENTICATED. */
  async confirmed({ userId }: Principal, password: string, address: string): Promise<User> {
    const { username, closed } = await this.users.one(userId);
    if (closed) throw unauthenticated();
    this.attempts.proved(address, username);
    return orThrow(
      await this.attempt(username, password, address),
      () => new DomainError('INVALID_CREDENTIALS', 'Wrong password.', { field: 'password' }),
    );
  }

  /** The new user, counted for the address; null if the name is taken. */
  private async make(
    { password, ...names }: { username: string; displayName: string; password: string },
    act: KeyedAct | null,
    address: string,
  ): Promise<User | null> {
    // The cheap checks come first: a hash takes a thousand times as long.
    await this.passwords.assertStrong(password, [names.username, names.displayName]);
    await this.users.assertNameUnlike(names.displayName, names.username);
    if (!(await this.users.isFree(names.username))) return null;
    await this.attempts.register(address);
    let made: User | null = null;
    try {
      const passwordHash = await this.passwords.hash(password, address);
      made = await this.users.create({ ...names, passwordHash }, act);
      return made;
    } finally {
      if (made === null) await this.attempts.unregister(address);
    }
  }

  /** As prove, but counts wrong passwords. Throws RATE_LIMITED. */
  private async attempt(username: string | null, password: string, address: string): Promise<User | null> {
    await this.attempts.begin(address, username);
    const user = await this.prove(username, password, address).catch(async (error: unknown) => {
      // The password was not checked, so it does not count as wrong.
      await this.attempts.unlooked(address, username);
      throw error;
    });
    if (user !== null) await this.attempts.succeeded(address, user.username);
    return user;
  }

  private async prove(username: string | null, password: string, address: string): Promise<User | null> {
    const credentials = username === null ? null : await this.users.credentials(username);
    const proven = await this.passwords.verify(password, credentials?.passwordHash ?? null, address);
    return proven && credentials !== null ? credentials.user : null;
  }

  private async openSession(user: User, address: string): Promise<Session> {
    return this.shown(await this.sessions.open(user.id), user, address);
  }

  private shown(session: OpenSession, user: User, address: string): Session {
    this.attempts.proved(address, user.username);
    const { refreshToken, expiresAt } = session;
    const token = this.tokens.sign(user.id, session.id);
    return { ...token, refreshToken, refreshTokenExpiresAt: expiresAt, user };
  }
}

const usernameTaken = (username: string): DomainError =>
  new DomainError('USERNAME_TAKEN', `The username ${username} is taken. Choose another one.`, {
    field: 'username',
  });
