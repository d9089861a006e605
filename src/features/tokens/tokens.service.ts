import { Injectable } from '@nestjs/common';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { v7 as uuid } from 'uuid';
import { badInput, DomainError } from '../../platform/errors/errors.js';
import { ALL_SCOPES } from '../../platform/contract/scopes.js';
import { visibleText } from '../../platform/contract/user-text.js';
import { consume, Counts, DAY_SECONDS } from '../../platform/limits/counts.js';
import type { Quotas } from '../../platform/limits/quotas.js';
import { DAY_MS, Time } from '../../platform/process/time.js';
import { shown } from '../../rules/shown.js';
import { Outbox } from '../delivery/outbox.js';
import { newPersonalToken } from '../auth/personal-token.js';
import type { Principal } from '../auth/principal.js';
import { hashOf, MOST_LISTED, Sessions } from '../auth/sessions.js';
import { type CreateTokenInput, MOST_DAYS, MOST_OF_A_NAME } from './tokens.inputs.js';
import type { PersonalToken } from './tokens.model.js';

/** A token that was just made, which nobody can read again. */
export interface MadeToken {
  readonly token: string;
  readonly personalToken: PersonalToken;
}

/** The most tokens that a user makes in a day. */
const MOST_IN_A_DAY = 200;

/** Personal tokens: sessions that a script is given, each with the scopes that it needs. */
@Injectable()
export class TokensService {
  private readonly byUser: RateLimiterAbstract;

  constructor(
    private readonly sessions: Sessions,
    private readonly outbox: Outbox,
    private readonly time: Time,
    counts: Counts,
  ) {
    this.byUser = counts.limiter('tokens', MOST_IN_A_DAY, DAY_SECONDS);
  }

  /** Throws CONFIRMATION_REQUIRED, LIMIT_REACHED, RATE_LIMITED, BAD_INPUT. */
  async make(
    viewer: Principal,
    { name, scopes, expiresInDays }: CreateTokenInput,
    quotas: Quotas,
  ): Promise<MadeToken> {
    const unknown = scopes.findIndex((scope) => !(ALL_SCOPES as readonly string[]).includes(scope));
    if (unknown >= 0) {
      const message = `Item ${unknown + 1} of scopes must be one of ${ALL_SCOPES.join(', ')}; got ${shown(scopes[unknown])}.`;
      throw badInput('scopes', message);
    }
    if (scopes.length === 0) throw badInput('scopes', 'scopes must name at least one scope; got none.');
    // In one line, since mails tell of it in a sentence.
    const visible = visibleText(name.replaceAll(/\s+/g, ' '), 'name', MOST_OF_A_NAME);
    await this.sessions.assertConfirmed(viewer);
    const { userId } = viewer;
    await consume('new tokens', this.byUser, userId, quotas);
    const token = newPersonalToken();
    const createdAt = this.time.now();
    const expiresAt = new Date(createdAt.getTime() + (expiresInDays ?? MOST_DAYS) * DAY_MS);
    const own = { id: uuid(), name: visible, scopes: ALL_SCOPES.filter((scope) => scopes.includes(scope)) };
    await this.sessions.addPersonal(
      { ...own, tokenHash: hashOf(token), createdAt, expiresAt },
      viewer,
      async (tx) => {
        if ((await this.sessions.countPersonal(tx, userId)) > MOST_LISTED) throw tooMany();
        const told = { at: createdAt.toISOString(), name: visible, scopes: own.scopes.join(', ') };
        await this.outbox.tell(userId, 'tokenMade', told, tx);
      },
    );
    return { token, personalToken: { ...own, createdAt, lastUsedAt: null, expiresAt } };
  }

  listed({ userId }: Principal): Promise<readonly PersonalToken[]> {
    return this.sessions.personal(userId);
  }

  /** How many have ended: 1. Throws NOT_FOUND. */
  async delete({ userId }: Principal, id: string): Promise<number> {
    const isToken = (await this.sessions.personal(userId)).some((token) => token.id === id);
    const ended = isToken ? await this.sessions.end({ userId, sessionId: id }) : 0;
    if (ended > 0) return ended;
    throw new DomainError('NOT_FOUND', `You have no personal token with the id ${id}.`, { field: 'id' });
  }
}

const tooMany = (): DomainError =>
  new DomainError(
    'LIMIT_REACHED',
    `You have ${MOST_LISTED} personal tokens, which is the limit. Delete one first.`,
    { limit: MOST_LISTED },
  );
