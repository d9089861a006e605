import { Injectable } from '@nestjs/common';
import { badInput, DomainError } from '../../platform/errors/errors.js';
import { Time } from '../../platform/process/time.js';
import { shown } from '../../rules/shown.js';
import type { Principal } from '../auth/principal.js';
import { Mailer } from '../delivery/mailer.js';
import { accountClosed } from '../users/users.service.js';
import { dueOf, reminderOf } from './due.js';
import { isTimeZone } from './local-hours.js';
import {
  choicesFor,
  DEFAULT_WISHES,
  kindOfNews,
  NEWS_CHANNELS,
  type NewsChannel,
  type NewsKind,
  type NewsWishes,
} from './news-kinds.js';
import type { UpdateNewsSettingsInput } from './news.inputs.js';
import type { MailState, NewsSettings } from './news.model.js';
import type { NewsItem } from './news.row.js';
import { NewsStore } from './news.store.js';
import { PushKeys } from './push-keys.js';
import { PushSubscriptions } from './push-subscriptions.js';

const MOST_REMINDERS = 5;
/** Five minutes to thirty days. */
const REMINDERS = { least: 300, most: 30 * 86_400 };

type Viewer = Pick<Principal, 'userId' | 'sessionId'>;

/** What users want to be told, and when. */
@Injectable()
export class NewsService {
  constructor(
    private readonly store: NewsStore,
    private readonly mailer: Mailer,
    private readonly subscriptions: PushSubscriptions,
    private readonly keys: PushKeys,
    private readonly time: Time,
  ) {}

  async settings(viewer: Viewer): Promise<NewsSettings> {
    const [stored, mailState, pushSubscriptions] = await Promise.all([
      this.store.wishesOf(viewer.userId),
      this.mailStateOf(viewer.userId),
      this.subscriptions.listed(viewer),
    ]);
    const wishes = stored ?? DEFAULT_WISHES;
    return {
      ...wishes,
      ...{ mail: choicesFor('mail', wishes), push: choicesFor('push', wishes) },
      ...{ mailState, pushSubscriptions, pushKey: this.keys.pair.publicKey },
    };
  }

  /** Changes what is given. Throws BAD_INPUT, ACCOUNT_CLOSED. */
  async update(viewer: Viewer, input: UpdateNewsSettingsInput): Promise<NewsSettings> {
    assertMeaningful(input);
    await this.change(viewer.userId, (wishes) => changed(wishes, input), input.resumeMail === true);
    return this.settings(viewer);
  }

  async stopMails(userId: string, kinds: readonly NewsKind[]): Promise<void> {
    const never = Object.fromEntries(kinds.map((kind) => [kind, 'never' as const]));
    try {
      await this.change(userId, (wishes) => ({ ...wishes, mail: { ...wishes.mail, ...never } }), false);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }

  /** What waits is timed anew, so that a change counts for it. */
  private async change(
    userId: string,
    by: (wishes: NewsWishes) => NewsWishes,
    isMailResumed: boolean,
  ): Promise<void> {
    const isOpen = await this.store.changing(userId, async (tx) => {
      const wishes = by((await this.store.wishesOf(userId, tx)) ?? DEFAULT_WISHES);
      await this.store.save(tx, userId, wishes);
      if (isMailResumed) await this.store.switchOff(userId, null, null, tx);
      const waiting = await this.store.waiting(tx, userId);
      if (waiting.length > 0) await this.store.replace(tx, userId, this.timed(waiting, wishes));
    });
    if (!isOpen) throw accountClosed();
  }

  private timed(waiting: readonly NewsItem[], wishes: NewsWishes): readonly NewsItem[] {
    const now = this.time.now();
    return waiting.flatMap((item) => {
      const time = choicesFor(item.channel, wishes)[kindOfNews(item.type)];
      if (time === 'never') return [];
      if (item.type !== 'reminder') return [{ ...item, dueAt: dueOf(time, item.channel, now, wishes) }];
      if (!wishes.reminders.includes(item.before)) return [];
      const dueAt = reminderOf(item.before, { began: item.began!, deadline: item.at }, now, wishes);
      return dueAt === null ? [] : [{ ...item, dueAt }];
    });
  }

  private async mailStateOf(userId: string): Promise<MailState> {
    if (!this.mailer.sends) return 'noMail';
    const { email, emailOffAt } = await this.store.reachOf(userId);
    if (email === null) return 'noAddress';
    return emailOffAt === null ? 'on' : 'refused';
  }
}

function changed(wishes: NewsWishes, input: UpdateNewsSettingsInput): NewsWishes {
  const chosen = (given: UpdateNewsSettingsInput['mail']) =>
    Object.fromEntries(Object.entries(given ?? {}).filter(([, time]) => time != null)) as NewsWishes['mail'];
  const given = <T>(value: T | undefined, before: T): T => (value === undefined ? before : value);
  const next: NewsWishes = {
    mail: { ...wishes.mail, ...chosen(input.mail) },
    push: { ...wishes.push, ...chosen(input.push) },
    quietFrom: given(input.quietFrom, wishes.quietFrom),
    quietUntil: given(input.quietUntil, wishes.quietUntil),
    digestHour: input.digestHour ?? wishes.digestHour,
    timeZone: input.timeZone ?? wishes.timeZone,
    reminders: input.reminders == null ? wishes.reminders : inOrder(input.reminders),
  };
  if ((next.quietFrom === null) !== (next.quietUntil === null)) {
    const missing = next.quietFrom === null ? 'quietFrom' : 'quietUntil';
    throw badInput(missing, `${missing} must be given as well: quiet hours have a beginning and an end. Send null for both to have none.`); // prettier-ignore
  }
  if (next.quietFrom !== null && next.quietFrom === next.quietUntil)
    throw badInput('quietUntil', `quietUntil must differ from quietFrom; got ${next.quietFrom} for both.`);
  return next;
}

const inOrder = (reminders: readonly number[]): readonly number[] =>
  [...new Set(reminders)].sort((a, b) => b - a);

function assertMeaningful(input: UpdateNewsSettingsInput): void {
  const { timeZone, reminders } = input;
  for (const channel of NEWS_CHANNELS) assertChoosing(channel, input[channel]);
  if (timeZone != null && !isTimeZone(timeZone)) {
    throw badInput('timeZone', `timeZone must be a name of the IANA time zone database, such as Europe/Berlin; got ${shown(timeZone)}.`); // prettier-ignore
  }
  if (reminders == null) return;
  if (reminders.length > MOST_REMINDERS) {
    throw new DomainError('BAD_INPUT', `reminders must have at most ${MOST_REMINDERS} items; got ${reminders.length}.`, { field: 'reminders', max: MOST_REMINDERS }); // prettier-ignore
  }
  const wrong = reminders.find((each) => each < REMINDERS.least || each > REMINDERS.most);
  if (wrong !== undefined) {
    throw new DomainError('BAD_INPUT', `reminders must be between ${REMINDERS.least} (5 minutes) and ${REMINDERS.most} (30 days) seconds; got ${wrong}.`, { field: 'reminders', min: REMINDERS.least, max: REMINDERS.most }); // prettier-ignore
  }
}

function assertChoosing(channel: NewsChannel, choices: UpdateNewsSettingsInput[NewsChannel]): void {
  if (choices == null) return;
  if (Object.values(choices).every((time) => time == null)) {
    throw badInput(
      channel,
      `${channel} must say of at least one kind when to tell it; got none. Leave it out to change none.`,
    );
  }
  if (choices.reminder === 'daily')
    throw badInput(
      channel,
      `${channel}.reminder must be at once or never; got daily. A digest may come after the deadline.`,
    );
}
