import { Injectable } from '@nestjs/common';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { OwnAddress } from '../../platform/http/own-address.js';
import { Counts } from '../../platform/limits/counts.js';
import { AccountLinks } from '../auth/account-links.js';
import type { Letter } from '../delivery/letter.js';
import { emailChanged } from '../delivery/mails/email-changed.js';
import { newSignIn } from '../delivery/mails/new-sign-in.js';
import { passwordChanged } from '../delivery/mails/password-changed.js';
import { recovery } from '../delivery/mails/recovery.js';
import { tokenMade } from '../delivery/mails/token-made.js';
import { verification } from '../delivery/mails/verification.js';
import { type MailKind, type MailKinds, Outbox, type Posted } from '../delivery/outbox.js';
import { UsersService } from '../users/users.service.js';
import { HOUR_SECONDS, MOST_LINKS, MOST_OF_AN_ADDRESS } from './emails.service.js';
import { type Recoverable, RecoveryStore } from './recovery.store.js';

const DAY_SECONDS = 86_400;

type Mail = { readonly to: string; readonly letter: Letter } | null;

/** What the mails about accounts say. Their links are made here, when they are sent, and stored nowhere but as hashes. */
@Injectable()
export class RecoveryMails {
  private readonly byUser: RateLimiterAbstract;
  private readonly byMailbox: RateLimiterAbstract;

  constructor(
    private readonly store: RecoveryStore,
    private readonly users: UsersService,
    private readonly links: AccountLinks,
    private readonly own: OwnAddress,
    outbox: Outbox,
    counts: Counts,
  ) {
    this.byUser = counts.limiter('recoveries of a user', MOST_LINKS, HOUR_SECONDS);
    this.byMailbox = counts.limiter('new addresses of a mailbox', MOST_LINKS, DAY_SECONDS);
    outbox.write('verification', (posted) => this.verification(posted));
    outbox.write('recovery', ({ about }) => this.recovery(about.asked));
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
    outbox.write(kind, async ({ userId, email, about }) => {
      const { username, closed } = await this.users.one(userId!);
      return closed || email === null ? null : { to: email, letter: letterOf(username, about) };
    });
  }

  private async verification({ userId, email }: Posted<'verification'>): Promise<Mail> {
    const { username, closed } = await this.users.one(userId!);
    const { pendingEmail } = await this.store.emailsOf(userId!);
    if (closed || email === null || pendingEmail !== email) return null;
    // Nobody's mailbox is filled by others who name its address.
    if (!(await isWithin(this.byMailbox, email.toLowerCase()))) return null;
    const secret = await this.links.make('verification', { userId: userId!, email });
    return { to: email, letter: verification(username, this.own.url(`/verify-email#${secret}`)) };
  }

  private async recovery(asked: string): Promise<Mail> {
    const accounts: Recoverable[] = [];
    for (const account of await this.store.recoverable(asked, MOST_OF_AN_ADDRESS)) {
      if (await isWithin(this.byUser, account.id)) accounts.push(account);
    }
    const [first] = accounts;
    if (first === undefined) return null;
    const shown = await Promise.all(
      accounts.map(async ({ id, username, email }) => ({
        username,
        link: this.own.url(`/recover#${await this.links.make('recovery', { userId: id, email })}`),
      })),
    );
    return { to: first.email, letter: recovery(shown) };
  }
}

/** Counts one more; false if there are too many. */
const isWithin = async (limiter: RateLimiterAbstract, key: string): Promise<boolean> =>
  (await limiter.penalty(key)).consumedPoints <= limiter.points;
