import { ArgsType, InputType } from '@nestjs/graphql';
import { flag, id, listOf, longText, moment, optional, text } from '../../platform/contract/fields.js';
import { inputOf } from '../../platform/contract/inputs.js';
import { argsOf } from '../../platform/contract/inputs.js';
import { pageInput } from '../../platform/contract/page.inputs.js';

const url = longText('Where to send: an address that begins with https://.', {
  example: 'https://chess.example.org/hooks',
});
const types = optional(
  listOf(text(), 'The types of messages, such as `game.move`; left out, all that the token may read.', {
    most: 100,
  }),
);
const OF = { id: id('The id of a webhook of yours.') };

@InputType({ description: 'A new webhook.' })
export class CreateWebhookInput extends inputOf({ url, types }) {}

const CHANGE = {
  url: optional(url),
  types: optional(listOf(text(), 'The types of messages from now on; an empty list for all.', { most: 100 })),
  on: optional(flag('False to send nothing any more, true to go on where it stopped.')),
  fromNow: optional(flag('With `on`: true to leave out what happened meanwhile.')),
};

/** The webhook in the path of a route. */
export class WebhookParam extends inputOf(OF) {}

export class UpdateWebhookBody extends inputOf(CHANGE) {}

@InputType({ description: 'The new values of a webhook. Left out, each stays as it is.' })
export class UpdateWebhookInput extends inputOf({ ...OF, ...CHANGE }) {}

@InputType({ description: 'The webhook to delete.' })
export class DeleteWebhookInput extends inputOf(OF) {}

@InputType({ description: 'The webhook that gets another secret.' })
export class ReplaceWebhookSecretInput extends inputOf(OF) {}

@InputType({ description: 'The webhook to try.' })
export class TestWebhookInput extends inputOf(OF) {}

const AGAIN = {
  deliveryId: optional(id('The id of one delivery.')),
  from: optional(moment('In place of it, a span of time: its beginning.')),
  to: optional(moment('The end of the span; left out, now.')),
};

export class RedeliverWebhookBody extends inputOf(AGAIN) {}

@InputType({ description: 'What to send once more.' })
export class RedeliverWebhookInput extends inputOf({ ...OF, ...AGAIN }) {}

@ArgsType()
export class WebhookDeliveriesArgs extends argsOf({ ...OF, ...pageInput() }) {}
