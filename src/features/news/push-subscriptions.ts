import { ECDH } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { badInput, DomainError } from '../../platform/errors/errors.js';
import { Outgoing } from '../../platform/http/outgoing.js';
import { Time } from '../../platform/process/time.js';
import type { Principal } from '../auth/principal.js';
import type { SavePushSubscriptionInput } from './news.inputs.js';
import { MOST_BROWSERS, type PushSubscription } from './news.model.js';
import { PushStore, type SubscriptionRow } from './push.store.js';

const AUTH_BYTES = 16;
/** Those of Windows have some 700 characters. */
const MOST_OF_AN_ENDPOINT = 2000;

type Viewer = Pick<Principal, 'userId' | 'sessionId'>;

/** The browsers in which users are told by push. */
@Injectable()
export class PushSubscriptions {
  constructor(
    private readonly store: PushStore,
    private readonly outgoing: Outgoing,
    private readonly time: Time,
  ) {}

  async listed(viewer: Viewer): Promise<PushSubscription[]> {
    const rows = await this.store.subscriptionsOf(viewer.userId, this.time.now());
    return rows.map((row) => shownOf(row, viewer));
  }

  /** Throws BAD_INPUT, LIMIT_REACHED. */
  async save(viewer: Viewer, given: SavePushSubscriptionInput): Promise<PushSubscription> {
    const { userId, sessionId } = viewer;
    const endpoint = this.outgoing.require(given.endpoint, 'endpoint', MOST_OF_AN_ENDPOINT);
    const subscription = {
      ...{ id: uuid(), userId, sessionId, endpoint, createdAt: this.time.now() },
      ...{ p256dh: requireKey(given.p256dh), auth: requireSecret(given.auth) },
    };
    const row = await this.store.save(subscription, MOST_BROWSERS);
    if (row === null) {
      throw new DomainError('LIMIT_REACHED', `You are told in ${MOST_BROWSERS} browsers, which is the limit. Switch push off in another one first.`, { limit: MOST_BROWSERS }); // prettier-ignore
    }
    return shownOf(row, viewer);
  }

  /** Throws NOT_FOUND. */
  async delete({ userId }: Viewer, id: string): Promise<void> {
    if (await this.store.delete(userId, id)) return;
    throw new DomainError('NOT_FOUND', `You have no push subscription with the id ${id}.`, { field: 'id' });
  }
}

const shownOf = ({ endpoint, sessionId, ...row }: SubscriptionRow, viewer: Viewer): PushSubscription => ({
  ...row,
  service: new URL(endpoint).host,
  isCurrent: sessionId === viewer.sessionId,
});

function requireKey(given: string): string {
  const key = Buffer.from(given, 'base64url');
  try {
    ECDH.convertKey(key, 'prime256v1');
    if (key.length === 65) return key.toString('base64url');
  } catch {
    // Told below.
  }
  throw badInput('p256dh', 'p256dh must be the key of a push subscription, as PushSubscription.toJSON() gives it: 65 bytes in base64url.'); // prettier-ignore
}

function requireSecret(given: string): string {
  const secret = Buffer.from(given, 'base64url');
  if (secret.length === AUTH_BYTES) return secret.toString('base64url');
  throw badInput('auth', 'auth must be the secret of a push subscription, as PushSubscription.toJSON() gives it: 16 bytes in base64url.'); // prettier-ignore
}
