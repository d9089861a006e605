import { Inject, Injectable } from '@nestjs/common';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Config } from '../../config.js';
import { DomainError } from '../../platform/errors/errors.js';
import { addressKey } from '../../platform/http/addresses.js';
import { consume, Counts, HOUR_SECONDS } from '../../platform/limits/counts.js';
import { Background } from '../../platform/process/background.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { DAY_MS, Time } from '../../platform/process/time.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { Session } from '../auth/auth.model.js';
import { AuthService } from '../auth/auth.service.js';
import type { ClientOf } from '../auth/device.js';
import type { Principal } from '../auth/principal.js';
import { Sessions } from '../auth/sessions.js';
import { requireDisplayName } from '../users/names.js';
import { accountClosed, UsersService } from '../users/users.service.js';
import { Claims, type WaysIn } from './claims.js';
import { GuestsStore } from './guests.store.js';

const FORGOTTEN_AT_ONCE = 100;

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
    private readonly claims: Claims,
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
    { refreshToken, ...ways }: WaysIn & { readonly refreshToken: string },
    client: ClientOf,
  ): Promise<Session> {
    return this.claims.claim(await this.users.person(viewer.userId), ways, client, {
      // An access token alone may be stolen, and the hash may have waited.
      assertTheirs: (tx) => this.sessions.assertNewest(tx, viewer, refreshToken),
      late: async () => ((await this.users.one(viewer.userId)).closed ? accountClosed() : alreadyClaimed()),
    });
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
