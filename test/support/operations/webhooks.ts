import type { Edges } from '../api-types.js';
import { connection } from '../documents.js';
import { get, getEdges, mutation, part, post, query, remove, verb } from '../verb.js';
import type { Body } from '../transport.js';

/** Webhooks and their deliveries. */

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly on: boolean;
  readonly offReason: string | null;
  readonly failingSince: string | null;
  readonly nextTryAt: string | null;
  readonly oldSecretUntil: string | null;
  readonly createdAt: string;
}

export interface Delivery {
  readonly id: string;
  readonly messageId: string;
  readonly type: string;
  readonly body: string;
  readonly delivered: boolean;
  readonly waiting: boolean;
  readonly tries: number;
  readonly status: number | null;
  readonly failure: string | null;
  readonly answer: string | null;
}

export interface MadeWebhook {
  readonly webhook: Webhook;
  readonly secret: string;
}

const WEBHOOK = '{ id url types on offReason failingSince nextTryAt oldSecretUntil createdAt }';
const DELIVERY =
  '{ id messageId type body delivered waiting tries createdAt triedAt tookMs status failure answer }';

export const WEBHOOKS = {
  myWebhooks: verb<[], readonly Webhook[]>({
    rest: () => part('items', get('webhooks')),
    graphql: () => query('myWebhooks', {}, WEBHOOK),
  }),
  createWebhook: verb<[input: Body], MadeWebhook>({
    rest: (input) => post('webhooks', input),
    graphql: (input) => mutation('createWebhook', input, `{ webhook ${WEBHOOK} secret }`),
  }),
  updateWebhook: verb<[id: string, change: Body], Webhook>({
    rest: (id, change) => part('webhook', { method: 'patch', path: `webhooks/${id}`, body: change }),
    graphql: (id, change) => part('webhook', mutation('updateWebhook', { id, ...change }, WEBHOOK)),
  }),
  deleteWebhook: verb<[id: string], string>({
    rest: (id) => part('deletedId', remove(`webhooks/${id}`)),
    graphql: (id) => part('deletedId', mutation('deleteWebhook', { id })),
  }),
  replaceWebhookSecret: verb<[id: string], MadeWebhook>({
    rest: (id) => post(`webhooks/${id}/secrets`, {}),
    graphql: (id) => mutation('replaceWebhookSecret', { id }, `{ webhook ${WEBHOOK} secret }`),
  }),
  testWebhook: verb<[id: string], Delivery>({
    rest: (id) => part('delivery', post(`webhooks/${id}/tests`, {})),
    graphql: (id) => part('delivery', mutation('testWebhook', { id }, DELIVERY)),
  }),
  redeliverWebhook: verb<[id: string, which: Body], number>({
    rest: (id, which) => part('asked', post(`webhooks/${id}/redeliveries`, which)),
    graphql: (id, which) => part('asked', mutation('redeliverWebhook', { id, ...which })),
  }),
  webhookDeliveries: verb<[id: string, page?: Body], Edges<Delivery>>({
    rest: (id, page = {}) => getEdges(`webhooks/${id}/deliveries`, page),
    graphql: (id, page = {}) => query('webhookDeliveries', { id, ...page }, connection(DELIVERY)),
  }),
};
