import { Inject, Injectable } from '@nestjs/common';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Config } from '../../config.js';
import { DomainError } from '../../platform/errors/errors.js';
import { addressKey } from '../../platform/http/addresses.js';
import { consume, Counts, DAY_SECONDS, HOUR_SECONDS } from '../../platform/limits/counts.js';
import { type Counted, Quotas } from '../../platform/limits/quotas.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { Time } from '../../platform/process/time.js';
import { AccountLinks, invalidLink } from '../auth/account-links.js';
import type { SessionOf } from '../auth/liveness.js';
import { Sessions } from '../auth/sessions.js';
import { Mailer } from '../delivery/mailer.js';
import { Outbox } from '../delivery/outbox.js';
import { accountClosed } from '../users/users.service.js';
import { requireEmailAddress } from './email-address.js';
import { type Emails, RecoveryStore } from './recovery.store.js';

/** The most accounts that one address may serve, as those of a family. */
export const MOST_OF_AN_ADDRESS = 5;
/** The most links that one account gets in an hour. */
export const MOST_LINKS = 5;
/** Links for new addresses that one mailbox gets in a day, whoever asks. */
const MOST_OF_A_MAILBOX = 30;
const LINKS = 'mails with links';

/** E-mail addresses, which count once they are verified. */
@Injectable()
export class EmailsService {
  private readonly byAddress: RateLimiterAbstract;
  private readonly byUser: RateLimiterAbstract;
  private readonly byMailbox: RateLimiterAbstract;

  constructor(
    private readonly store: RecoveryStore,
    private readonly sessions: Sessions,
    private readonly links: AccountLinks,
    private readonly mailer: Mailer,
    private readonly outbox: Outbox,
    private readonly time: Time,
    counts: Counts,
    @Inject(CONFIG) { recoveriesPerHour }: Pick<Config, 'recoveriesPerHour'>,
  ) {
    this.byAddress = counts.limiter('mails', recoveriesPerHour, HOUR_SECONDS);
    this.byUser = counts.limiter('mails-of-account', MOST_LINKS, HOUR_SECONDS);
    this.byMailbox = counts.limiter('mails-to-mailbox', MOST_OF_A_MAILBOX, DAY_SECONDS);
  }

  of({ userId }: Pick<SessionOf, 'userId'>): Promise<Emails> {
    return this.store.emailsOf(userId);
  }

  /**
   * Sends a link to a new address, which counts from its use on, or gives the address up with null. Throws
   * CONFIRMATION_REQUIRED, NO_MAIL, RATE_LIMITED, BAD_INPUT.
   */
  async change(viewer: SessionOf, given: string | null, { address, quotas }: Counted): Promise<Emails> {
    const email = given === null ? null : requireEmailAddress(given, 'email');
    await this.sessions.assertConfirmed(viewer);
    if (email === null) {
      await this.giveUp(viewer);
      return this.of(viewer);
    }
    if (!this.mailer.sends) {
      throw new DomainError(
        'NO_MAIL',
        'This server sends no mail, so that it cannot verify an e-mail address.',
      );
    }
    await consume(LINKS, this.byAddress, addressKey(address), quotas);
    await consume(LINKS, this.byUser, viewer.userId, quotas);
    // Nobody fills the mailbox of others by naming it. What others asked for is told by the refusal alone.
    await consume(
      'mails with links to this e-mail address',
      this.byMailbox,
      email.toLowerCase(),
      new Quotas(),
    );
    await this.store.changing(viewer.userId, async (tx, before) => {
      if (before === null) throw accountClosed();
      await this.sessions.assertConfirmedIn(tx, viewer);
      await this.links.revoke(tx, viewer.userId, 'verification');
      await this.store.change(tx, viewer.userId, { pendingEmail: email, pendingSession: viewer.sessionId });
      await this.outbox.post('verification', { userId: viewer.userId, email, about: {} }, tx);
    });
    return this.of(viewer);
  }

  /** Makes the address of a link that of its user. Throws INVALID_LINK, LIMIT_REACHED. */
  async verify(secret: string): Promise<string> {
    const { userId, email } = await this.links.find('verification', secret);
    await this.store.changing(userId, async (tx, before) => {
      if (email === null || before?.pendingEmail !== email) throw invalidLink();
      // Ended sessions may have been those of thieves.
      const named = { userId, sessionId: before.pendingSession! };
      if (!(await this.sessions.isOpenIn(tx, named))) throw invalidLink();
      await this.links.use(tx, secret);
      if (
        before.email?.toLowerCase() !== email.toLowerCase() &&
        (await this.store.countOf(tx, email)) >= MOST_OF_AN_ADDRESS
      ) {
        const message = `This e-mail address serves ${MOST_OF_AN_ADDRESS} accounts already, which is the limit. Use another one.`;
        throw new DomainError('LIMIT_REACHED', message, { limit: MOST_OF_AN_ADDRESS });
      }
      if (before.email !== null && before.email !== email) {
        await this.outbox.tell(
          userId,
          'emailChanged',
          { at: this.time.now().toISOString(), isRemoved: false },
          tx,
        );
      }
      // What was sent to the old address must not recover the account any more.
      await this.links.revokeAll(tx, userId);
      // The link has come, so the address works, whatever its mail server said before.
      await this.store.change(tx, userId, { email, emailOffAt: null });
    });
    return email!;
  }

  private giveUp(viewer: SessionOf): Promise<void> {
    const { userId } = viewer;
    return this.store.changing(userId, async (tx, before) => {
      if (before === null) throw accountClosed();
      await this.sessions.assertConfirmedIn(tx, viewer);
      await this.outbox.tell(
        userId,
        'emailChanged',
        { at: this.time.now().toISOString(), isRemoved: true },
        tx,
      );
      await this.links.revokeAll(tx, userId);
      await this.store.change(tx, userId, { email: null });
    });
  }
}
