import { ID, Int, ObjectType } from '@nestjs/graphql';
import { Cost, rowsAtMost } from '../../platform/contract/cost.js';
import { enumOf, model, shown } from '../../platform/contract/model.js';
import { DateTimeScalar } from '../../platform/contract/scalars.js';
import { NEWS_TIMES, type NewsKind } from './news-kinds.js';

/** What a user wants to be told, as the API shows it. */

export const NewsTimeEnum = enumOf(NEWS_TIMES, {
  name: 'NewsTime',
  description: 'When something is told.',
  values: {
    atOnce: 'Within minutes; after the quiet hours, if it happens in them.',
    daily: 'Once a day, with everything else of the day.',
    never: 'Never.',
  },
});

/** A user is told in so many by push. */
export const MOST_BROWSERS = 10;

const MAIL_STATES = ['on', 'noAddress', 'refused', 'noMail'] as const;
export type MailState = (typeof MAIL_STATES)[number];

const MailStateEnum = enumOf(MAIL_STATES, {
  name: 'MailState',
  description: 'Whether news reaches a user by mail.',
  values: {
    on: 'Mail is sent.',
    noAddress: 'The account has no verified e-mail address.',
    refused:
      'The mail server of the address does not know it, so no news is sent there. Verify the address again, or send `resumeMail`.',
    noMail: 'This server sends no mail.',
  },
});

export const KIND_MEANINGS: Readonly<Record<NewsKind, string>> = {
  yourTurn: 'That it is your turn.',
  reminder: 'That a deadline of yours is near; at once or never.',
  challenge: 'Challenges and rematches that you are offered, their answers, and that your game has started.',
  offer: 'What opponents offer or ask for in a game, how they answer, and what they give.',
  message: 'That an opponent has written; without the text.',
  gameOver: 'That a game is over, not by your own act.',
  conditional: 'That conditional moves of yours were played or dropped.',
};

const time = (kind: NewsKind) => shown(NewsTimeEnum, { description: KIND_MEANINGS[kind] });

@ObjectType({ description: 'When you are told of each kind of news on one channel.' })
export class NewsChoices extends model({
  yourTurn: time('yourTurn'),
  reminder: time('reminder'),
  challenge: time('challenge'),
  offer: time('offer'),
  message: time('message'),
  gameOver: time('gameOver'),
  conditional: time('conditional'),
}) {}

@ObjectType({
  description: 'A browser in which you are told by push. It ends with the session that saved it.',
})
export class PushSubscription extends model({
  id: shown(ID, { description: 'The id of the subscription.' }),
  device: shown(String, {
    description: 'The client of its session, in words. Empty if it did not say.',
    example: 'Firefox on Linux',
  }),
  service: shown(String, {
    description: 'The host of its push service.',
    example: 'updates.push.services.mozilla.com',
  }),
  createdAt: shown(DateTimeScalar, { description: 'The time when it was saved first.' }),
  isCurrent: shown(Boolean, { description: 'True for one of the session of this request.' }),
}) {}

@ObjectType({ description: 'What you want to be told, and when.' })
export class NewsSettings extends model({
  mail: shown(NewsChoices, { description: 'What you are told by mail.' }),
  mailState: shown(MailStateEnum, { description: 'Whether mail reaches you.' }),
  push: shown(NewsChoices, { description: 'What you are told in your browsers by push.' }),
  pushSubscriptions: shown(
    [PushSubscription],
    { description: 'The browsers in which you are told by push, the one saved last first.' },
    Cost(rowsAtMost(MOST_BROWSERS)),
  ),
  pushKey: shown(String, {
    description: 'The key of this server for `PushManager.subscribe` (`applicationServerKey`), in base64url.',
    example: 'BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs',
  }),
  digestHour: shown(Int, {
    description: 'The hour, 0 to 23 in your time zone, at which the news of a day is sent.',
  }),
  quietFrom: shown(Int, {
    nullable: true,
    description:
      'The hour, 0 to 23 in your time zone, from which you are told nothing; null without quiet hours.',
  }),
  quietUntil: shown(Int, {
    nullable: true,
    description: 'The hour at which the quiet hours end; null without quiet hours.',
  }),
  timeZone: shown(String, {
    description: 'Your time zone, a name of the IANA database.',
    example: 'Europe/Berlin',
  }),
  reminders: shown([Int], {
    description:
      'How many seconds before a deadline you are reminded, the longest first. If the longest is more than half of the time for a turn, all are shortened alike; what is left of under 5 minutes is dropped.',
    rest: { type: 'integer' },
    example: [86_400, 14_400],
  }),
}) {}
