import { InputType } from '@nestjs/graphql';
import {
  flag,
  id,
  listOf,
  longText,
  oneOf,
  optional,
  text,
  wholeNumber,
} from '../../platform/contract/fields.js';
import { inputField, inputOf } from '../../platform/contract/inputs.js';
import type { NewsKind } from './news-kinds.js';
import { KIND_MEANINGS, NewsTimeEnum } from './news.model.js';

const time = (kind: NewsKind) => optional(oneOf(NewsTimeEnum, KIND_MEANINGS[kind]));
const hour = (description: string) => optional(wholeNumber(description, { least: 0, most: 23 }));

@InputType({
  description: 'When to tell of each kind of news on one channel; what is left out stays as it is.',
})
export class NewsChoicesInput extends inputOf({
  yourTurn: time('yourTurn'),
  reminder: time('reminder'),
  challenge: time('challenge'),
  offer: time('offer'),
  message: time('message'),
  gameOver: time('gameOver'),
  conditional: time('conditional'),
}) {}

@InputType({ description: 'The changes of what you want to be told; what is left out stays as it is.' })
export class UpdateNewsSettingsInput extends inputOf({
  mail: optional(inputField(NewsChoicesInput, 'What to tell by mail.')),
  push: optional(inputField(NewsChoicesInput, 'What to tell by push.')),
  digestHour: hour('The hour in your time zone at which the news of a day is sent.'),
  quietFrom: hour('The hour from which you are told nothing; null, as quietUntil, to have no quiet hours.'),
  quietUntil: hour('The hour at which the quiet hours end.'),
  timeZone: optional(text('A name of the IANA time zone database.', { most: 60, example: 'Europe/Berlin' })),
  reminders: optional(
    listOf(
      wholeNumber(),
      'How many seconds before a deadline to remind you: up to 5, each from 300 to 2592000; an empty list for none.',
      { rest: { type: 'integer' }, example: [86_400, 14_400] },
    ),
  ),
  resumeMail: optional(flag('True to send mail again to an address that its mail server has refused.')),
}) {}

@InputType({ description: 'A subscription of a browser, as its `PushSubscription` gives it.' })
export class SavePushSubscriptionInput extends inputOf({
  endpoint: longText('Where its push service takes messages: `endpoint`.', {
    example: 'https://updates.push.services.mozilla.com/wpush/v2/gAAAAABk',
  }),
  p256dh: text('Its public key: `keys.p256dh` of `toJSON()`, 65 bytes in base64url.', {
    most: 100,
    example: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  }),
  auth: text('Its secret: `keys.auth` of `toJSON()`, 16 bytes in base64url.', {
    most: 40,
    example: 'BTBZMqHH6r4Tts7J_aSIgg',
  }),
}) {}

const OF = { id: id('The id of a push subscription of yours.') };

/** The subscription in the path of a route. */
export class PushSubscriptionParam extends inputOf(OF) {}

@InputType({ description: 'The push subscription to delete.' })
export class DeletePushSubscriptionInput extends inputOf(OF) {}
