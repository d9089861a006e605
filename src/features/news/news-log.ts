import { Injectable } from '@nestjs/common';
import { Background } from '../../platform/process/background.js';
import { Time } from '../../platform/process/time.js';
import { Mailer } from '../delivery/mailer.js';
import { Outbox } from '../delivery/outbox.js';
import { dueOf, reminderOf } from './due.js';
import {
  choicesFor,
  DEFAULT_WISHES,
  kindOfNews,
  NEWS_CHANNELS,
  type NewsChannel,
  type NewsWishes,
} from './news-kinds.js';
import type { Candidate, NewsItem } from './news.row.js';
import { NewsStore } from './news.store.js';

const LOOK_MS = 1000;
/** Rows of the log in one transaction. */
const WALKED_AT_ONCE = 500;
/** Items that are posted in one statement. */
const POSTED_AT_ONCE = 500;

/**
 * Turns the log of events into what is to be told, and posts what is due. Both are done by one process at a time, each
 * step in one transaction with the place that it reaches: what happened is told once, and not before its commit.
 */
@Injectable()
export class NewsLog {
  constructor(
    private readonly store: NewsStore,
    private readonly outbox: Outbox,
    private readonly time: Time,
    private readonly mailer: Mailer,
    background: Background,
  ) {
    background.every('News', LOOK_MS, () => this.work());
  }

  async work(): Promise<void> {
    await this.walk();
    await this.post();
  }

  private async walk(): Promise<void> {
    const byMail = this.mailer.sends;
    for (;;) {
      const { isLogged, isAnybodyTold } = await this.store.look(byMail);
      if (!isLogged) return;
      if (!isAnybodyTold) return this.store.skip(byMail);
      const now = this.time.now();
      const isMine = await this.store.walk(WALKED_AT_ONCE, byMail, (found) => newsOf(found, now));
      if (!isMine) return;
    }
  }

  private async post(): Promise<void> {
    for (const channel of NEWS_CHANNELS) {
      while (await this.store.isDue(channel, this.time.now())) {
        if (!(await this.postSome(channel))) break;
      }
    }
  }

  /** False if another process does it. */
  private postSome(channel: NewsChannel): Promise<boolean> {
    const now = this.time.now();
    return channel === 'mail'
      ? this.store.postMails(POSTED_AT_ONCE, now, (source) => this.outbox.posting('news', source))
      : this.store.postPushes(POSTED_AT_ONCE, now);
  }
}

function newsOf(found: readonly Candidate[], now: Date): readonly NewsItem[] {
  const items = found.flatMap((each) => itemsOf(each, now));
  const keyOf = ({ userId, channel, gameId, type, before }: NewsItem) =>
    `${userId} ${channel} ${gameId} ${type} ${before}`;
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

function itemsOf(found: Candidate, now: Date): readonly NewsItem[] {
  const channels = { mail: found.byMail, push: found.byPush };
  return NEWS_CHANNELS.filter((channel) => channels[channel]).flatMap((channel) =>
    itemsBy(channel, found, now),
  );
}

function itemsBy(channel: NewsChannel, found: Candidate, now: Date): readonly NewsItem[] {
  const { userId, gameId, type, at, ply, isNew, deadlineAt } = found;
  if (type === 'turnOver') return [];
  const wishes = wishesIn(found);
  const choices = choicesFor(channel, wishes);
  const item = { userId, channel, gameId, type, before: 0, at, ply, began: null } as const;
  const time = choices[kindOfNews(type)];
  const news = isNew && time !== 'never' ? [{ ...item, dueAt: dueOf(time, channel, now, wishes) }] : [];
  if (type !== 'yourTurn' || deadlineAt === null || choices.reminder === 'never') return news;
  const turn = { began: at, deadline: deadlineAt };
  const reminders = wishes.reminders.flatMap((before) => {
    const dueAt = reminderOf(before, turn, now, wishes);
    return dueAt === null
      ? []
      : [{ ...item, type: 'reminder', before, at: deadlineAt, began: at, dueAt } as const];
  });
  return [...news, ...reminders];
}

function wishesIn({
  mail,
  push,
  quietFrom,
  quietUntil,
  digestHour,
  timeZone,
  reminders,
}: Candidate): NewsWishes {
  if (mail === null) return DEFAULT_WISHES;
  return {
    ...{ mail, push: push!, quietFrom, quietUntil },
    ...{ digestHour: digestHour!, timeZone: timeZone!, reminders: reminders! },
  };
}
