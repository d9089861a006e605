import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { DomainError } from '../../platform/errors/errors.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { Session } from '../auth/auth.model.js';
import { AuthService, usernameTaken } from '../auth/auth.service.js';
import type { ClientOf } from '../auth/device.js';
import { Sessions } from '../auth/sessions.js';
import { requireEmailAddress } from '../recovery/email-address.js';
import { EmailsService } from '../recovery/emails.service.js';
import { requireUsername } from '../users/names.js';
import type { AnyPlayer, User } from '../users/users.model.js';
import { type Newcomer, UsersService } from '../users/users.service.js';

/** The ways in that somebody chooses. */
export interface WaysIn {
  readonly username: string;
  readonly password: string;
  readonly email?: string | null | undefined;
}

export interface Claim {
  /** Throws in the transaction if whoever asks is not the one who plays. */
  readonly assertTheirs: (tx: Transaction) => Promise<void>;
  /** What to answer if the user is a person by then, or closed. */
  readonly late: () => Promise<DomainError>;
}

/** Makes users without a way in of their own persons: the same user, whose games and records stay as they are. */
@Injectable()
export class Claims {
  constructor(
    private readonly users: UsersService,
    private readonly auth: AuthService,
    private readonly sessions: Sessions,
    private readonly accounts: AccountsService,
    private readonly emails: EmailsService,
  ) {}

  /**
   * Gives a guest or a managed player a username and a password, and ends all sessions of the user. Throws BAD_INPUT,
   * PASSWORD_TOO_COMMON, USERNAME_TAKEN, NAME_TAKEN, RATE_LIMITED.
   */
  async claim(
    claimant: AnyPlayer,
    { password, email, ...given }: WaysIn,
    client: ClientOf,
    { assertTheirs, late }: Claim,
  ): Promise<Session> {
    const username = requireUsername(given.username);
    if (email != null) requireEmailAddress(email, 'email');
    const displayName = await this.displayNameOf(claimant, username);
    if (!(await this.users.isFree(username))) throw usernameTaken(username);
    const claimed = await this.auth.counted(client, async () => {
      const passwordHash = await this.auth.hashNew(password, [username, displayName], client.address);
      const newcomer = { username, displayName, passwordHash };
      const person = await this.become(claimant, newcomer, assertTheirs);
      if (person !== null) return { person, passwordHash };
      throw (await this.users.isFree(username)) ? await late() : usernameTaken(username);
    });
    const { person, passwordHash } = claimed!;
    const session = await this.auth.openFor(person, passwordHash, client);
    if (email != null) await this.nameEmail(session, email, client);
    return session;
  }

  /** Null if somebody else took the name meanwhile, or the user is a person already or closed. */
  private async become(
    { id, username }: AnyPlayer,
    newcomer: Newcomer,
    assertTheirs: Claim['assertTheirs'],
  ): Promise<User | null> {
    let person: User | null = null;
    const lost = new Error('The claim came too late.');
    await this.sessions
      .endAll(id, null, async (tx) => {
        await assertTheirs(tx);
        person = await this.users.claim(tx, id, newcomer);
        if (person === null) throw lost;
        await this.accounts.announceRename(tx, id, username, newcomer.username);
      })
      .catch((error: unknown) => {
        if (error !== lost) throw error;
      });
    return person;
  }

  /** A name that the user chose stays, unless it looks like a username that somebody has. Throws NAME_TAKEN. */
  private async displayNameOf({ username: own, displayName }: AnyPlayer, username: string): Promise<string> {
    await this.users.assertUsernameUnlike(username);
    if (displayName === own) return username;
    try {
      await this.users.assertNameUnlike(displayName, username);
      return displayName;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'NAME_TAKEN') return username;
      throw error;
    }
  }

  /** The person is there, whether or not a mail can go out now. */
  private async nameEmail(session: Session, email: string, client: ClientOf): Promise<void> {
    try {
      await this.emails.change({ userId: session.user.id, sessionId: session.id }, email, client);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
}
