import { ID, Int, ObjectType } from '@nestjs/graphql';
import { ApiSchema } from '@nestjs/swagger';
import { connectionOf } from '../../platform/contract/connection.js';
import { enumOf, model, shown } from '../../platform/contract/model.js';
import { pageFields } from '../../platform/contract/paginated.js';
import { DateTimeScalar } from '../../platform/contract/scalars.js';
import { OFF_REASONS } from './retries.js';

const OffReasonEnum = enumOf(OFF_REASONS, {
  name: 'WebhookOffReason',
  description: 'Why a webhook is off.',
  values: {
    switchedOff: 'Its owner switched it off.',
    gone: 'Its address answered 410.',
    failing: 'Its address did not take a message for three days.',
    tokenEnded: 'The personal token that made it has ended.',
    secretLost: 'The server can no longer read the secret that signs its messages; give it another one.',
  },
});

@ObjectType({
  description:
    'An address to which events of a person or an application are sent, as Standard Webhooks says.',
})
export class Webhook extends model({
  id: shown(ID, { description: 'The id of the webhook.' }),
  url: shown(String, { description: 'The address.', example: 'https://chess.example.org/hooks' }),
  types: shown([String], {
    description: 'The types of messages that it sends; empty for all.',
    example: ['game.move', 'game.end'],
  }),
  on: shown(Boolean, { description: 'True if it sends what happens.' }),
  offReason: shown(OffReasonEnum, { nullable: true, description: 'Why it is off; null if it is on.' }),
  failingSince: shown(DateTimeScalar, {
    nullable: true,
    description: 'The time since when its address takes nothing; null if the last message was taken.',
  }),
  nextTryAt: shown(DateTimeScalar, {
    nullable: true,
    description:
      'The time of the next try while its address takes nothing; null otherwise, and while it is tried.',
  }),
  oldSecretUntil: shown(DateTimeScalar, {
    nullable: true,
    description: 'The time until which the secret before signs as well; null if there is none.',
  }),
  createdAt: shown(DateTimeScalar, { description: 'The time when it was made.' }),
}) {}

@ObjectType({ description: 'A message of a webhook, with its last try. Kept for 30 days.' })
export class WebhookDelivery extends model({
  id: shown(ID, { description: 'The id of the delivery, to make it again.' }),
  messageId: shown(String, {
    description: 'The header `webhook-id` of the message, the same at each try.',
    example: 'msg_5Vw0nq8yJm2l4rXc9TtKpQbZs1HdGfEa',
  }),
  type: shown(String, { description: 'The type of the message.', example: 'game.move' }),
  body: shown(String, { description: 'The body of the message, JSON.' }),
  delivered: shown(Boolean, { description: 'True if it was taken: the last try was answered with 2xx.' }),
  waiting: shown(Boolean, { description: 'True if it was asked for and is still to be sent.' }),
  tries: shown(Int, { description: 'How often it was sent.', example: 1 }),
  createdAt: shown(DateTimeScalar, { description: 'The time when it was first sent, or asked for.' }),
  triedAt: shown(DateTimeScalar, { nullable: true, description: 'The time of the last try.' }),
  tookMs: shown(Int, { nullable: true, description: 'How long the last try took, in milliseconds.' }),
  status: shown(Int, {
    nullable: true,
    description: 'The status that answered the last try; null without an answer.',
    example: 204,
  }),
  failure: shown(String, { nullable: true, description: 'Why no answer came; null if one came.' }),
  answer: shown(String, { nullable: true, description: 'The first 300 bytes of the answer, as text.' }),
}) {}

@ObjectType({ description: 'A page of the deliveries of a webhook, the newest first.' })
export class WebhookDeliveryConnection extends model(
  connectionOf(WebhookDelivery, 'A delivery on a page.', { edgeName: 'WebhookDeliveryEdge' }),
) {}

@ApiSchema({ description: 'Your webhooks, the one made last first.' })
export class WebhookPage extends model(pageFields(Webhook)) {}

@ApiSchema({ description: 'Deliveries of a webhook, the newest first.' })
export class WebhookDeliveryPage extends model(pageFields(WebhookDelivery)) {}
