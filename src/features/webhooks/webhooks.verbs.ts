import { ID, Int } from '@nestjs/graphql';
import { OWNERS } from '../../platform/contract/access.js';
import { shown } from '../../platform/contract/model.js';
import { verb } from '../../platform/contract/verb.js';
import { Webhook, WebhookDelivery } from './webhooks.model.js';

const OF_AN_OWNER = { needs: 'webhooks', by: OWNERS } as const;
const WEBHOOK = shown(Webhook, { description: 'The webhook as it is now.' });
const SECRET = shown(String, {
  description: 'The secret that signs its messages, `whsec_...`, shown in this answer alone.',
});

export const CREATE_WEBHOOK = verb('createWebhook', {
  ...OF_AN_OWNER,
  description:
    'Have your events, or with the token of an application those of its games, sent to an address as they happen. Made with a personal token, it sends what that may read, and ends with it.',
  codes: ['LIMIT_REACHED'],
  answers: { webhook: WEBHOOK, secret: SECRET },
});

export const UPDATE_WEBHOOK = verb('updateWebhook', {
  ...OF_AN_OWNER,
  description: 'Change the address or the types of a webhook of yours, or switch it off or on.',
  codes: ['NOT_FOUND', 'FORBIDDEN'],
  answers: { webhook: WEBHOOK },
});

export const DELETE_WEBHOOK = verb('deleteWebhook', {
  ...OF_AN_OWNER,
  description: 'Delete a webhook of yours, and the list of its deliveries.',
  codes: ['NOT_FOUND'],
  answers: { deletedId: shown(ID, { description: 'The id of the webhook that was deleted.' }) },
});

export const REPLACE_WEBHOOK_SECRET = verb('replaceWebhookSecret', {
  ...OF_AN_OWNER,
  description:
    'Give a webhook of yours another secret. For a day each message has the signatures of both, so that nothing is refused meanwhile.',
  codes: ['NOT_FOUND'],
  answers: { webhook: WEBHOOK, secret: SECRET },
});

export const TEST_WEBHOOK = verb('testWebhook', {
  ...OF_AN_OWNER,
  description:
    'Send a message of the type `test` to the address of a webhook of yours, once. Its deliveries say what became of it.',
  codes: ['NOT_FOUND', 'FORBIDDEN'],
  answers: { delivery: shown(WebhookDelivery, { description: 'The delivery, which waits to be sent.' }) },
});

export const REDELIVER_WEBHOOK = verb('redeliverWebhook', {
  ...OF_AN_OWNER,
  description:
    'Send deliveries of a webhook of yours once more, each once: one of them, or up to 1000 of a span of time.',
  codes: ['NOT_FOUND', 'FORBIDDEN'],
  answers: { asked: shown(Int, { description: 'How many deliveries will be made again.', example: 1 }) },
});
