import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { DomainError } from '../../platform/errors/errors.js';
import { Background } from '../../platform/process/background.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { DAY_MS, Time } from '../../platform/process/time.js';
import { AccountLinksStore, type LinkKind, type LinkOf, type LinkRow } from './account-links.store.js';
import { hashOf } from './sessions.js';

const TOKEN_BYTES = 32;

const HOUR_MS = 3_600_000;
/** How long a link of each kind works, in milliseconds. */
const LASTS: Readonly<Record<LinkKind, number>> = {
  verification: DAY_MS,
  recovery: HOUR_MS,
  claim: HOUR_MS,
};

export interface MadeLink {
  readonly secret: string;
  readonly expiresAt: Date;
}

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

  /** The secret of a new link for a user, sent to `email` or given to who passes it on. */
  async make(kind: LinkKind, link: LinkOf): Promise<string> {
    const { secret, row } = this.drawn(kind, link);
    await this.store.add(row);
    return secret;
  }

  /** The same, in place of those of this kind that the user has, unless `assertMay` throws in the same transaction. */
  async replace(
    kind: LinkKind,
    link: LinkOf,
    assertMay: (tx: Transaction) => Promise<void>,
  ): Promise<MadeLink> {
    const { secret, row } = this.drawn(kind, link);
    await this.store.replace(row, assertMay);
    return { secret, expiresAt: row.expiresAt };
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

  /** The same for all players of an application. */
  revokeOfPlayers(tx: Transaction, applicationId: string, kind: LinkKind): Promise<void> {
    return this.store.revokeOfPlayers(tx, applicationId, kind);
  }

  /** Makes all links of a user useless. */
  revokeAll(tx: Transaction, userId: string): Promise<void> {
    return this.store.revokeAll(tx, userId);
  }

  forgetExpired(): Promise<void> {
    return this.store.deleteExpired(this.time.now());
  }

  private drawn(kind: LinkKind, link: LinkOf): { readonly secret: string; readonly row: LinkRow } {
    const secret = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = new Date(this.time.now().getTime() + LASTS[kind]);
    return { secret, row: { ...link, kind, hash: hashOf(secret), expiresAt } };
  }
}

export const invalidLink = (): DomainError =>
  new DomainError(
    'INVALID_LINK',
    'The link is unknown, was already used or replaced, or is too old; or what it was for has changed since: the password, the e-mail address, the session that asked for it, the player. Ask for a new one.',
    { field: 'token' },
  );
