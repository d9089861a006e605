import { Inject, Injectable } from '@nestjs/common';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Config } from '../../config.js';
import { DomainError } from '../../platform/errors/errors.js';
import { addressKey } from '../../platform/http/addresses.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { consume, Counts, HOUR_SECONDS } from '../../platform/limits/counts.js';
import type { Counted } from '../../platform/limits/quotas.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { Time } from '../../platform/process/time.js';
import { AccountLinks, invalidLink } from '../auth/account-links.js';
import { AuthService } from '../auth/auth.service.js';
import { Sessions } from '../auth/sessions.js';
import { Outbox } from '../delivery/outbox.js';
import { parseUsername } from '../users/names.js';
import type { User } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import { isEmailAddress } from './email-address.js';
import { RecoveryStore } from './recovery.store.js';

/** Passwords that were forgotten. */
@Injectable()
export class RecoveriesService {
  private readonly byAddress: RateLimiterAbstract;

  constructor(
    private readonly store: RecoveryStore,
    private readonly users: UsersService,
    private readonly sessions: Sessions,
    private readonly auth: AuthService,
    private readonly links: AccountLinks,
    private readonly outbox: Outbox,
    private readonly own: OwnAddress,
    private readonly time: Time,
    counts: Counts,
    @Inject(CONFIG) { recoveriesPerHour }: Pick<Config, 'recoveriesPerHour'>,
  ) {
    this.byAddress = counts.limiter('recoveries', recoveriesPerHour, HOUR_SECONDS);
  }

  /**
   * Takes down what somebody typed. Nothing is looked up here, so that neither the answer nor its time tells whether a
   * name or an address is known. Throws RATE_LIMITED.
   */
  async request(usernameOrEmail: string, { address, quotas }: Counted): Promise<void> {
    await consume('recoveries from your address', this.byAddress, addressKey(address), quotas);
    const typed = usernameOrEmail.trim();
    const asked = isEmailAddress(typed) ? typed : parseUsername(typed);
    if (asked !== null) await this.outbox.post('recovery', { userId: null, email: null, about: { asked } });
  }

  /** A link from the operator, who knows by other means whose account it is. Throws NOT_FOUND. */
  async linkFor(username: string): Promise<string> {
    const { id, guest } = await this.users.profile(username, 'username');
    if (guest) throw new DomainError('FORBIDDEN', `${username} is a guest, who has no password to recover.`);
    return this.own.url(`/recover#${await this.links.make('recovery', { userId: id, email: null })}`);
  }

  /** Sets a new password by a link, and ends all sessions and personal tokens. Throws INVALID_LINK, PASSWORD_TOO_COMMON. */
  async complete(secret: string, password: string, { address }: Counted): Promise<User> {
    const { userId, email } = await this.links.find('recovery', secret);
    const user = await this.users.person(userId);
    if (user.closed) throw invalidLink();
    const passwordHash = await this.auth.hashNew(password, [user.username, user.displayName], address);
    await this.sessions.endAll(userId, null, async (tx) => {
      const current = await this.store.hold(tx, userId);
      // One that was mailed works while the address is that of the account.
      if (current === null || (email !== null && current.email !== email)) throw invalidLink();
      await this.links.use(tx, secret);
      await this.users.changePassword(tx, userId, current.passwordHash, passwordHash);
      await this.links.revokeAll(tx, userId);
      await this.outbox.tell(userId, 'passwordChanged', { at: this.time.now().toISOString() }, tx);
    });
    return user;
  }
}
