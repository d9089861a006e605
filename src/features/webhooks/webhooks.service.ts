import { Inject, Injectable } from '@nestjs/common';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { v7 as uuid } from 'uuid';
import type { Config } from '../../config.js';
import { Cursors } from '../../platform/contract/cursors.js';
import {
  type Connection,
  DEFAULT_PAGE_SIZE,
  pageOf,
  type PageRequest,
} from '../../platform/contract/page.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { badInput, DomainError, orThrow } from '../../platform/errors/errors.js';
import { Outgoing } from '../../platform/http/outgoing.js';
import { consume, Counts, HOUR_SECONDS } from '../../platform/limits/counts.js';
import type { Quotas } from '../../platform/limits/quotas.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { DAY_MS, Time } from '../../platform/process/time.js';
import { shown } from '../../rules/shown.js';
import type { Principal } from '../auth/principal.js';
import { APPLICATION_EVENT_TYPES, scopeOfEvent, typesFor } from '../events/event.row.js';
import { bodyOf, NAMES, TEST, typeOf } from './message.js';
import type { OffReason } from './retries.js';
import { isTaken } from './retries.js';
import type { DeliveryRow, Owner, WebhookRow } from './webhook.row.js';
import { WebhookSecrets } from './webhook-secrets.js';
import type { CreateWebhookInput, RedeliverWebhookBody, UpdateWebhookBody } from './webhooks.inputs.js';
import type { Webhook, WebhookDelivery } from './webhooks.model.js';
import { type Repeated, WebhooksStore } from './webhooks.store.js';

/** For so long two secrets sign after one was replaced. */
const BOTH_SIGN_MS = DAY_MS;
const MOST_AGAIN = 1000;
/** Tests and repetitions that an owner asks for in an hour. */
const MOST_ASKED = 100;

interface MadeWebhook {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** Addresses to which persons and applications have their events sent. */
@Injectable()
export class WebhooksService {
  private readonly asking: RateLimiterAbstract;

  constructor(
    private readonly store: WebhooksStore,
    private readonly secrets: WebhookSecrets,
    private readonly outgoing: Outgoing,
    private readonly cursors: Cursors,
    private readonly time: Time,
    counts: Counts,
    @Inject(CONFIG) private readonly config: Pick<Config, 'maxWebhooks'>,
  ) {
    this.asking = counts.limiter('deliveries asked for', MOST_ASKED, HOUR_SECONDS);
  }

  async listed(viewer: Principal): Promise<readonly Webhook[]> {
    const now = this.time.now();
    return (await this.store.listed(ownerOf(viewer))).map((row) => shownOf(row, now));
  }

  /** Throws LIMIT_REACHED, BAD_INPUT. */
  async create(viewer: Principal, { url, types }: CreateWebhookInput): Promise<MadeWebhook> {
    const owner = ownerOf(viewer);
    const id = uuid();
    const { shown: secret, sealed } = this.secrets.make(id);
    const row = {
      ...{ id, ...owner, sessionId: owner.sessionId ?? null },
      ...{ secret: sealed, createdAt: this.time.now() },
      scopes: viewer.scopes.join(' '),
      url: this.outgoing.require(url, 'url'),
      types: requireTypes(viewer, types ?? []),
    };
    await this.store.transaction(async (tx) => {
      const limit = this.config.maxWebhooks;
      if ((await this.store.countHeld(tx, owner)) >= limit) throw tooMany(limit);
      await this.store.insert(tx, row);
    });
    return { webhook: await this.one(owner, id), secret };
  }

  /** Throws NOT_FOUND, FORBIDDEN, BAD_INPUT. */
  async update(viewer: Principal, id: string, given: UpdateWebhookBody): Promise<Webhook> {
    const { on, fromNow } = given;
    const url = given.url == null ? {} : { url: this.outgoing.require(given.url, 'url') };
    const types = given.types == null ? {} : { types: requireTypes(viewer, given.types) };
    const change = { ...url, ...types };
    if (Object.keys(change).length === 0 && on == null) {
      throw badInput('url', 'The request changes nothing. Send url, types or on.');
    }
    if (fromNow != null && on !== true) {
      throw badInput('fromNow', 'fromNow says where to go on, and so stands beside on: true.');
    }
    const now = this.time.now();
    const owner = ownerOf(viewer);
    await this.held(owner, id, async (tx) => {
      await this.store.update(tx, id, change, now);
      if (on === false) await this.store.switchOff(tx, id, now);
      const isOff = (await this.store.one(owner, id, tx))!.offAt !== null;
      if (on !== true || (!isOff && fromNow !== true)) return;
      if (await this.store.isCutOff(tx, id, now)) throw cutOff();
      await this.store.switchOn(tx, id, fromNow === true, now);
    });
    return this.one(owner, id);
  }

  /** Throws NOT_FOUND. */
  async delete(viewer: Principal, id: string): Promise<void> {
    await this.held(ownerOf(viewer), id, (tx) => this.store.delete(tx, id));
  }

  /** Throws NOT_FOUND. */
  async replaceSecret(viewer: Principal, id: string): Promise<MadeWebhook> {
    const owner = ownerOf(viewer);
    const { shown: secret, sealed } = this.secrets.make(id);
    const until = new Date(this.time.now().getTime() + BOTH_SIGN_MS);
    await this.held(owner, id, (tx) => this.store.replaceSecret(tx, id, sealed, until));
    return { webhook: await this.one(owner, id), secret };
  }

  /** Throws NOT_FOUND, FORBIDDEN, RATE_LIMITED. */
  async test(viewer: Principal, id: string, quotas: Quotas): Promise<WebhookDelivery> {
    const owner = ownerOf(viewer);
    assertOn(await this.row(owner, id));
    await consume('tests of webhooks', this.asking, viewer.userId, quotas);
    const now = this.time.now();
    const deliveryId = uuid();
    const body = bodyOf(TEST, now, { webhookId: id });
    const message = { id: deliveryId, messageId: `msg_${deliveryId.replaceAll('-', '')}`, type: TEST, body };
    await this.held(owner, id, (tx) => this.store.ask(tx, id, message, now));
    const untried = { tries: 0, triedAt: null, tookMs: null, status: null, failure: null, answer: null };
    return shownDelivery({ ...message, ...untried, createdAt: now, waits: true });
  }

  /** How many will be made again. Throws NOT_FOUND, FORBIDDEN, BAD_INPUT, RATE_LIMITED. */
  async redeliver(
    viewer: Principal,
    id: string,
    { deliveryId, from, to }: RedeliverWebhookBody,
    quotas: Quotas,
  ): Promise<number> {
    const now = this.time.now();
    if ((deliveryId == null) === (from == null) || (deliveryId != null && to != null)) {
      throw badInput(
        'deliveryId',
        'Send either deliveryId for one delivery, or from, and to if it is not now, for a span of time.',
      );
    }
    const which: Repeated = deliveryId == null ? { from: from!, to: to ?? now } : { id: deliveryId };
    const owner = ownerOf(viewer);
    assertOn(await this.row(owner, id));
    await consume('repeated deliveries', this.asking, viewer.userId, quotas);
    const asked = await this.held(owner, id, (tx) => this.store.askAgain(tx, id, which, MOST_AGAIN, now));
    if (asked > 0 || deliveryId == null) return asked;
    throw new DomainError(
      'NOT_FOUND',
      `The webhook has no delivery with the id ${deliveryId} that does not wait to be sent already.`,
      { field: 'deliveryId' },
    );
  }

  /** The deliveries of a webhook, the newest first. Throws NOT_FOUND, BAD_INPUT, INVALID_CURSOR. */
  async deliveries(viewer: Principal, id: string, page: PageRequest): Promise<Connection<WebhookDelivery>> {
    await this.row(ownerOf(viewer), id);
    return pageOf(page, {
      cursors: this.cursors.of<string>('webhookDeliveries', id),
      size: DEFAULT_PAGE_SIZE,
      read: ({ after = null, limit }) => this.store.deliveries(id, after, limit),
      key: (row) => row.id,
      node: shownDelivery,
    });
  }

  private async one(owner: Owner, id: string): Promise<Webhook> {
    return shownOf(await this.row(owner, id), this.time.now());
  }

  private async row(owner: Owner, id: string): Promise<WebhookRow> {
    return orThrow(await this.store.one(owner, id), () => notFound(id));
  }

  /** Runs `work` in a transaction that holds a webhook of this owner. */
  private held<T>(owner: Owner, id: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.store.transaction(async (tx) => {
      if (!(await this.store.hold(tx, owner, id))) throw notFound(id);
      return work(tx);
    });
  }
}

/** Which webhooks a token is for: a personal token for those that it made, since others may send more than it reads. */
const ownerOf = ({ kind, userId, sessionId }: Principal): Owner => ({
  ...(kind === 'application' ? { userId: null, applicationId: userId } : { userId, applicationId: null }),
  ...(kind === 'personal' ? { sessionId } : {}),
});

/** The names of types, without repetitions. Throws BAD_INPUT. */
function requireTypes({ kind, scopes }: Principal, names: readonly string[]): string {
  const isApplication = kind === 'application';
  const allowed = (isApplication ? APPLICATION_EVENT_TYPES : typesFor(scopes)).map((type) =>
    NAMES.get(type)!,
  );
  if (allowed.length === 0) {
    throw badInput(
      'types',
      'The token reads no events, and so the webhook would send none. Take a token that has the scope games:read, too.',
    );
  }
  const wrong = names.findIndex((name) => !allowed.includes(name));
  if (wrong < 0) return [...new Set(names)].join(' ');
  const name = names[wrong]!;
  const type = typeOf(name);
  throw badInput(
    'types',
    type === undefined || isApplication
      ? `Item ${wrong + 1} of types must be one of ${allowed.join(', ')}; got ${shown(name)}.`
      : `Item ${wrong + 1} of types, ${name}, needs the scope ${scopeOfEvent(type)}, which the token lacks. Leave it out, or take a token with that scope.`,
  );
}

function assertOn({ offAt }: WebhookRow): void {
  if (offAt === null) return;
  throw new DomainError('FORBIDDEN', 'The webhook is off. Switch it on first (on: true).');
}

const shownOf = (row: WebhookRow, now: Date): Webhook => {
  const { id, url, types, offAt, offReason, failingSince, dueAt, lease, oldSecretUntil, createdAt } = row;
  return {
    ...{ id, url, failingSince, createdAt },
    types: types === '' ? [] : types.split(' '),
    on: offAt === null,
    offReason: offReason as OffReason | null,
    nextTryAt: offAt === null && failingSince !== null && lease === null ? dueAt : null,
    oldSecretUntil: oldSecretUntil !== null && oldSecretUntil > now ? oldSecretUntil : null,
  };
};

const shownDelivery = (row: DeliveryRow): WebhookDelivery => {
  const { id, messageId, type, body, createdAt, waits, tries, triedAt, tookMs, status, failure, answer } =
    row;
  return {
    ...{ id, messageId, type, body, createdAt, tries, triedAt, tookMs, status, failure, answer },
    delivered: isTaken(status),
    waiting: waits,
  };
};

const notFound = (id: string): DomainError =>
  new DomainError('NOT_FOUND', `You have no webhook with the id ${id}.`, { field: 'id' });

const cutOff = (): DomainError =>
  new DomainError(
    'FORBIDDEN',
    'The personal token that made this webhook has ended, and the webhook with it. Make another webhook.',
  );

const tooMany = (limit: number): DomainError =>
  new DomainError(
    'LIMIT_REACHED',
    limit === 0
      ? 'This server sends no webhooks.'
      : `There are ${limit} webhooks already, which is the limit. Delete one first.`,
    { limit },
  );
