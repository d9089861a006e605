import { Injectable } from '@nestjs/common';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { OwnAddress } from '../../platform/http/own-address.js';
import { Counts, HOUR_SECONDS } from '../../platform/limits/counts.js';
import { AccountLinks } from '../auth/account-links.js';
import type { Letter } from '../delivery/letter.js';
import { emailChanged } from '../delivery/mails/email-changed.js';
import { newSignIn } from '../delivery/mails/new-sign-in.js';
import { passwordChanged } from '../delivery/mails/password-changed.js';
import { recovery } from '../delivery/mails/recovery.js';
import { tokenMade } from '../delivery/mails/token-made.js';
import { verification } from '../delivery/mails/verification.js';
import { type MailKind, type MailKinds, Outbox, type Sending } from '../delivery/outbox.js';
import { UsersService } from '../users/users.service.js';
import { MOST_LINKS, MOST_OF_AN_ADDRESS } from './emails.service.js';
import { type Recoverable, RecoveryStore } from './recovery.store.js';

/** Notices of one kind that a user gets in an hour. */
const MOST_NOTICES = 10;

type Mail = { readonly to: string; readonly letter: Letter } | null;

/** What the mails about accounts say. Their links are made here, when they are sent, and stored nowhere but as hashes. */
@Injectable()
export class RecoveryMails {
  private readonly byUser: RateLimiterAbstract;
  private readonly byNotice: RateLimiterAbstract;

  constructor(
    private readonly store: RecoveryStore,
    private readonly users: UsersService,
    private readonly links: AccountLinks,
    private readonly own: OwnAddress,
    private readonly outbox: Outbox,
    counts: Counts,
  ) {
    this.byUser = counts.limiter('recoveries of a user', MOST_LINKS, HOUR_SECONDS);
    this.byNotice = counts.limiter('notices', MOST_NOTICES, HOUR_SECONDS);
    outbox.write('verification', (posted) => this.verification(posted));
    outbox.write('recovery', (sending) => this.recovery(sending));
    this.notice(outbox, 'passwordChanged', (name, { at }) => passwordChanged(name, at, own.url('/recover')));
    this.notice(outbox, 'emailChanged', (name, { at, isRemoved }) => emailChanged(name, at, isRemoved));
    this.notice(outbox, 'newSignIn', (name, { at, device }) =>
      newSignIn(name, at, device, own.url('/account')),
    );
    this.notice(outbox, 'tokenMade', (name, { at, name: token, scopes }) =>
      tokenMade(name, at, token, scopes, own.url('/account')),
    );
  }

  /** A mail that tells a user what happened, at the address that was theirs then. */
  private notice<K extends MailKind>(
    outbox: Outbox,
    kind: K,
    letterOf: (username: string, about: MailKinds[K]) => Letter,
  ): void {
    outbox.write(kind, async ({ userId, email, about, isRetry }) => {
      if (!isRetry && !(await isWithin(this.byNotice, `${kind} ${userId!}`))) return null;
      const { username, closed } = await this.users.person(userId!);
      return closed || email === null ? null : { to: email, letter: letterOf(username, about) };
    });
  }

  private async verification({ userId, email }: Sending<'verification'>): Promise<Mail> {
    const { username, closed } = await this.users.person(userId!);
    const { pendingEmail } = await this.store.emailsOf(userId!);
    if (closed || email === null || pendingEmail !== email) return null;
    const secret = await this.links.make('verification', { userId: userId!, email });
    return { to: email, letter: verification(username, this.own.url(`/verify-email#${secret}`)) };
  }

  /** A mail for each spelling of an address, since mailboxes may tell capitals apart; each has the links of its accounts. */
  private async recovery({ email, about: { asked }, isRetry }: Sending<'recovery'>): Promise<Mail> {
    const found = await this.store.recoverable(asked, MOST_OF_AN_ADDRESS);
    if (email === null) {
      for (const each of new Set(found.map((account) => account.email)))
        await this.outbox.post('recovery', { userId: null, email: each, about: { asked } });
      return null;
    }
    const accounts: Recoverable[] = [];
    for (const account of found.filter((one) => one.email === email)) {
      if (isRetry || (await isWithin(this.byUser, account.id))) accounts.push(account);
    }
    if (accounts.length === 0) return null;
    const shown = await Promise.all(
      accounts.map(async ({ id, username }) => ({
        username,
        link: this.own.url(`/recover#${await this.links.make('recovery', { userId: id, email })}`),
      })),
    );
    return { to: email, letter: recovery(shown) };
  }
}

/** Counts one more; false if there are too many. */
const isWithin = async (limiter: RateLimiterAbstract, key: string): Promise<boolean> =>
  (await limiter.penalty(key)).consumedPoints <= limiter.points;
