import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { DomainError } from '../../platform/errors/errors.js';
import { Background } from '../../platform/process/background.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { DAY_MS, Time } from '../../platform/process/time.js';
import { AccountLinksStore, type LinkKind, type LinkOf } from './account-links.store.js';
import { hashOf } from './sessions.js';

const TOKEN_BYTES = 32;

/** How long a link of each kind works, in milliseconds. */
const LASTS: Readonly<Record<LinkKind, number>> = { verification: DAY_MS, recovery: 3_600_000 };

/** Secrets in links that go out: each works once, and none after a change of the password or of the address. */
@Injectable()
export class AccountLinks {
  constructor(
    private readonly store: AccountLinksStore,
    private readonly time: Time,
    background: Background,
    @Inject(CONFIG) { housekeepingSeconds }: Pick<Config, 'housekeepingSeconds'>,
  ) {
    background.every('AccountLinkSweep', housekeepingSeconds * 1000, () => this.forgetExpired());
  }

  /** The secret of a new link for a user, sent to `email` or given by the operator. */
  async make(kind: LinkKind, link: LinkOf): Promise<string> {
    const secret = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = new Date(this.time.now().getTime() + LASTS[kind]);
    await this.store.add({ ...link, kind, hash: hashOf(secret), expiresAt });
    return secret;
  }

  /** Throws INVALID_LINK. */
  async find(kind: LinkKind, secret: string): Promise<LinkOf> {
    const found = await this.store.find(hashOf(secret), kind, this.time.now());
    if (found === null) throw invalidLink();
    return found;
  }

  /** Uses a link that was found up, in a transaction. Throws INVALID_LINK if another request was first. */
  async use(tx: Transaction, secret: string): Promise<void> {
    if (!(await this.store.use(tx, hashOf(secret)))) throw invalidLink();
  }

  /** Makes all links of a kind useless that a user has. */
  revoke(tx: Transaction, userId: string, kind: LinkKind): Promise<void> {
    return this.store.revoke(tx, userId, kind);
  }

  /** Makes all links of a user useless. */
  revokeAll(tx: Transaction, userId: string): Promise<void> {
    return this.store.revokeAll(tx, userId);
  }

  forgetExpired(): Promise<void> {
    return this.store.deleteExpired(this.time.now());
  }
}

export const invalidLink = (): DomainError =>
  new DomainError(
    'INVALID_LINK',
    'The link is unknown, was already used, is too old, or the password or the e-mail address was changed after it was sent, or who asked for it has signed out. Ask for a new one.',
    { field: 'token' },
  );
