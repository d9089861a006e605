import { Inject, Injectable } from '@nestjs/common';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Config } from '../../config.js';
import { DomainError, orThrow } from '../../platform/errors/errors.js';
import { addressKey } from '../../platform/http/addresses.js';
import { consume, Counts, HOUR_SECONDS } from '../../platform/limits/counts.js';
import { Background } from '../../platform/process/background.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { DAY_MS, Time } from '../../platform/process/time.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { Session } from '../auth/auth.model.js';
import { AuthService, usernameTaken } from '../auth/auth.service.js';
import type { ClientOf } from '../auth/device.js';
import type { Principal } from '../auth/principal.js';
import { Sessions } from '../auth/sessions.js';
import { requireEmailAddress } from '../recovery/email-address.js';
import { EmailsService } from '../recovery/emails.service.js';
import { requireDisplayName, requireUsername } from '../users/names.js';
import type { User } from '../users/users.model.js';
import { accountClosed, type Newcomer, UsersService } from '../users/users.service.js';
import { GuestsStore } from './guests.store.js';

const FORGOTTEN_AT_ONCE = 100;

interface Claim {
  readonly username: string;
  readonly password: string;
  readonly refreshToken: string;
  readonly email?: string | null | undefined;
}

/** People who play before they register. */
@Injectable()
export class GuestsService {
  private readonly byAddress: RateLimiterAbstract;

  constructor(
    private readonly store: GuestsStore,
    private readonly users: UsersService,
    private readonly auth: AuthService,
    private readonly sessions: Sessions,
    private readonly accounts: AccountsService,
    private readonly emails: EmailsService,
    private readonly time: Time,
    counts: Counts,
    background: Background,
    @Inject(CONFIG)
    private readonly config: Pick<Config, 'guestsPerHour' | 'guestDays' | 'housekeepingSeconds'>,
  ) {
    this.byAddress = counts.limiter('guests', config.guestsPerHour, HOUR_SECONDS);
    background.every('GuestSweep', config.housekeepingSeconds * 1000, () => this.forgetIdle());
  }

  /** Throws BAD_INPUT, NAME_TAKEN, RATE_LIMITED. */
  async create(displayName: string | null, client: ClientOf): Promise<Session> {
    const name = displayName === null ? null : requireDisplayName(displayName);
    await consume('guests from your address', this.byAddress, addressKey(client.address), client.quotas);
    return this.auth.openGuest(await this.users.createGuest(name), client);
  }

  /**
   * Gives a guest a username and a password, and ends the sessions of the guest. Throws BAD_INPUT, PASSWORD_TOO_COMMON,
   * USERNAME_TAKEN, NAME_TAKEN, ACCOUNT_CLOSED, INVALID_REFRESH_TOKEN, RATE_LIMITED.
   */
  async claim(
    viewer: Principal,
    { password, refreshToken, email, ...given }: Claim,
    client: ClientOf,
  ): Promise<Session> {
    const username = requireUsername(given.username);
    if (email != null) requireEmailAddress(email, 'email');
    const guest = await this.users.person(viewer.userId);
    const displayName = await this.displayNameOf(guest, username);
    if (!(await this.users.isFree(username))) throw usernameTaken(username);
    const claimed = await this.auth.counted(client, async () => {
      const passwordHash = await this.auth.hashNew(password, [username, displayName], client.address);
      const newcomer = { username, displayName, passwordHash };
      const person = await this.become(viewer, guest, newcomer, refreshToken);
      return { person, passwordHash };
    });
    const session = await this.auth.openFor(claimed!.person, claimed!.passwordHash, client);
    if (email != null) await this.nameEmail(session, email, client);
    return session;
  }

  /** Makes a guest a person and ends the sessions of the guest, in one transaction. */
  private async become(
    viewer: Principal,
    guest: User,
    newcomer: Newcomer,
    refreshToken: string,
  ): Promise<User> {
    let person: User | null = null;
    // Somebody else took the name meanwhile, or the guest was claimed or forgotten.
    const lost = new Error('The claim came too late.');
    await this.sessions
      .endAll(viewer.userId, null, async (tx) => {
        // An access token alone may be stolen, and the hash may have waited.
        await this.sessions.assertNewest(tx, viewer, refreshToken);
        person = await this.users.claim(tx, viewer.userId, newcomer);
        if (person === null) throw lost;
        await this.accounts.announceRename(tx, viewer.userId, guest.username, newcomer.username);
      })
      .catch(async (error: unknown) => {
        if (error !== lost) throw error;
        if (!(await this.users.isFree(newcomer.username))) throw usernameTaken(newcomer.username);
        throw (await this.users.one(viewer.userId)).closed ? accountClosed() : alreadyClaimed();
      });
    return orThrow<User | null>(person, accountClosed);
  }

  /** A name that the guest chose stays, unless it looks like a username that somebody has taken since. Throws NAME_TAKEN. */
  private async displayNameOf({ username: own, displayName }: User, username: string): Promise<string> {
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

  /** Closes the accounts of guests who have been idle for long. */
  async forgetIdle(): Promise<void> {
    const now = this.time.now().getTime();
    const [unplayed, played] = [new Date(now - DAY_MS), new Date(now - this.config.guestDays * DAY_MS)];
    for (;;) {
      const idle = await this.store.forgettable(unplayed, played, FORGOTTEN_AT_ONCE);
      for (const id of idle) {
        // By then the guest may have begun a game, or be a person.
        await this.accounts.closeFor(id, (tx) => this.store.isForgettable(tx, id, unplayed, played));
      }
      if (idle.length < FORGOTTEN_AT_ONCE) return;
    }
  }
}

const alreadyClaimed = (): DomainError =>
  new DomainError('FORBIDDEN', 'This guest was claimed already. Log in with the username and the password.');
