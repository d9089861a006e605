import { createHash } from 'node:crypto';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import webPush from 'web-push';
import { type Answer, Outgoing, pauseAsked, Unanswered } from '../../platform/http/outgoing.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { Background } from '../../platform/process/background.js';
import { Pools } from '../../platform/process/pools.js';
import { DAY_MS, Time } from '../../platform/process/time.js';
import { CurrentNews, type Told } from './current-news.js';
import type { PostedItem } from './news.row.js';
import { subjectOf } from './news-words.js';
import { PushKeys } from './push-keys.js';
import { type Pool, type PushRow, PushStore, SEVERAL } from './push.store.js';

const LOOK_MS = 1000;
const PATIENCE_MS = 500;
const LIMITS = {
  /** Browsers whose last message was taken at once, new and slow ones, and those that fail. */
  pools: [
    { most: 16, patienceMs: PATIENCE_MS },
    { most: 32, patienceMs: PATIENCE_MS },
    { most: 64, patienceMs: Infinity },
  ],
  most: 400,
  mostOfAnOwner: 8,
} as const;
/** Longer than a sending. */
const PAUSE_SECONDS = 30;
/** Push services answer so of a subscription that has ended. */
const GONE = [404, 410];
/** An address that has failed for so long is forgotten. */
const GIVEN_UP_AFTER_MS = 3 * DAY_MS;
/** So long push services keep what they cannot deliver, at most. */
const LONGEST_TTL_SECONDS = (3 * DAY_MS) / 1000;
/** The page of what is told of several games at once. */
const NEWS_PATH = '/news';

/** What the service worker of the page reads: what to show under a tag, or that nothing is to be shown any more. */
type Message =
  { readonly title: string; readonly body: string; readonly path: string } | { readonly clear: true };

/**
 * Sends news to browsers by their push services, encrypted for the browser alone. The services are addresses that users
 * choose, and so are sent to as those of webhooks are.
 */
@Injectable()
export class PushSender implements OnModuleDestroy {
  private readonly logger = new Logger(PushSender.name);
  private readonly pools = new Pools(LIMITS, () => this.find());
  private readonly ending = new AbortController();

  constructor(
    private readonly store: PushStore,
    private readonly current: CurrentNews,
    private readonly keys: PushKeys,
    private readonly outgoing: Outgoing,
    private readonly own: OwnAddress,
    private readonly time: Time,
    background: Background,
  ) {
    background.every('Pushes', LOOK_MS, () => this.look());
  }

  /** Cuts what is being sent, which is sent again later. */
  async onModuleDestroy(): Promise<void> {
    this.ending.abort();
    await this.pools.end();
  }

  /** Sends what is due; resolves when it is on its way. */
  look(): Promise<void> {
    return this.pools.look();
  }

  /** Sends what is due, and resolves when it was. */
  async send(): Promise<void> {
    do await this.look();
    while ((await this.pools.idle()) || (await this.store.duePools(this.time.now())).length > 0);
  }

  private async find(): Promise<boolean> {
    for (const pool of await this.store.duePools(this.time.now())) await this.fill(pool);
    return false;
  }

  private async fill(pool: Pool): Promise<void> {
    const limit = this.pools.room(pool);
    if (limit <= 0) return;
    const taking = {
      ...{ pool, limit, mostOfAUser: LIMITS.mostOfAnOwner },
      ...{ busyFor: this.pools.busyFor, without: this.pools.full() },
    };
    const rows = await this.store.take(taking, this.time.now(), PAUSE_SECONDS);
    for (const row of rows) this.pools.begin(pool, row.userId, () => this.sendOne(row));
  }

  private async sendOne(row: PushRow): Promise<void> {
    if (!row.isLive) return this.store.dropSubscription(row);
    const told = await this.current.of(row.userId, 'push', row.items);
    const shown = row.tag === SEVERAL ? [] : turnsIn(told);
    const isSilent = SHOWS_ALL.test(new URL(row.endpoint).hostname) || !row.isShown;
    if (told.length === 0 ? isSilent : !isNewIn(told, row)) {
      return this.store.finish(row, null, shown, this.time.now());
    }
    const began = performance.now();
    const answer = await this.post(row, told);
    const now = this.time.now();
    if (answer !== null && answer.status >= 200 && answer.status < 300) {
      const pool = performance.now() - began > PATIENCE_MS ? 1 : 0;
      return this.store.finish(row, pool, shown, now);
    }
    if (this.ending.signal.aborted) return;
    await this.failed(row, answer, now);
  }

  private async failed(row: PushRow, answer: Answer | null, now: Date): Promise<void> {
    const isOver = (since: Date, milliseconds: number) => now.getTime() - since.getTime() > milliseconds;
    const isGone = answer !== null && GONE.includes(answer.status);
    if (isGone || (row.failingSince !== null && isOver(row.failingSince, GIVEN_UP_AFTER_MS))) {
      return this.store.dropSubscription(row);
    }
    const asked = answer === null ? null : pauseAsked(answer, now);
    await this.store.fail(row, asked === null ? null : new Date(now.getTime() + asked), now);
    if (isOver(row.createdAt, DAY_MS)) await this.store.drop(row);
  }

  private async post(row: PushRow, told: readonly Told[]): Promise<Answer | null> {
    const { endpoint, p256dh, auth, tag, id } = row;
    const payload = JSON.stringify({ id, tag, ...messageOf(told) });
    try {
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        payload,
        {
          vapidDetails: { subject: subjectIn(this.own.url()), ...this.keys.pair },
          TTL: this.secondsLeft(told),
          urgency: told.some(({ items }) => items.some(({ type }) => type === 'reminder'))
            ? 'high'
            : 'normal',
          topic: topicOf(row),
        },
      );
      const { 'Content-Length': _, ...sent } = headers as Readonly<Record<string, string>>;
      return await this.outgoing.post(endpoint, { headers: sent, body }, this.ending.signal);
    } catch (error) {
      if (!(error instanceof Unanswered)) this.logger.error(error);
      return null;
    }
  }

  /** For how long it is worth being told. */
  private secondsLeft(told: readonly Told[]): number {
    const deadlines = told.flatMap(({ game }) => game?.row.deadlineAt?.getTime() ?? []);
    const left = Math.ceil((Math.max(...deadlines) - this.time.now().getTime()) / 1000);
    return deadlines.length === 0 || told.length > 1
      ? LONGEST_TTL_SECONDS
      : Math.min(Math.max(left, 0), LONGEST_TTL_SECONDS);
  }
}

const keyOf = ({ gameId, type, before, ply, at }: PostedItem): string =>
  [gameId, type, before, ply, at].join(' ');

/** What stays true as long as the turn does, each once. */
function turnsIn(told: readonly Told[]): readonly PostedItem[] {
  const items = told.flatMap((each) => each.items);
  const ofTurn = items.filter(({ type }) => type === 'yourTurn' || type === 'reminder');
  return [...new Map(ofTurn.map((item) => [keyOf(item), { ...item, shown: true as const }])).values()];
}

/** Whether there is more than the browser shows: two walks of the log may find one turn. */
function isNewIn(told: readonly Told[], { items }: PushRow): boolean {
  const known = new Set(items.filter(({ shown }) => shown).map(keyOf));
  return told.some((each) => each.items.some((item) => !known.has(keyOf(item))));
}

function messageOf(told: readonly Told[]): Message {
  const [first, ...others] = told;
  if (first === undefined) return { clear: true };
  const items = told.flatMap((each) => each.items);
  const body = told.map(({ text }) => text).join('\n');
  if (others.length === 0) return { title: subjectOf(items), body, path: first.path };
  return { title: subjectOf(items), body: shortened(body), path: NEWS_PATH };
}

/** What the service has not delivered yet is replaced under the same topic, of which it learns no game. */
const topicOf = ({ subscriptionId, tag }: PushRow): string =>
  createHash('sha256').update(`${subscriptionId} ${tag}`).digest('base64url').slice(0, 32);

/** Safari takes push away from a page that is told something and shows nothing. */
const SHOWS_ALL = /\.push\.apple\.com$/;

/** A push has room for 4096 bytes, and a notification for a few lines. */
const MOST_CHARACTERS = 500;
const shortened = (text: string): string =>
  text.length <= MOST_CHARACTERS ? text : `${text.slice(0, text.lastIndexOf('\n', MOST_CHARACTERS))}\n…`;

/** Whom a push service may write to: an https address; a server without one stands on the machine of a developer. */
const subjectIn = (own: string): string => (own.startsWith('https:') ? own : 'mailto:postmaster@localhost');
