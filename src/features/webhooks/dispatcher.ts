import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Config } from '../../config.js';
import { scopesIn } from '../../platform/contract/scopes.js';
import { type Answer, Outgoing, Unanswered } from '../../platform/http/outgoing.js';
import { Background } from '../../platform/process/background.js';
import { Pools } from '../../platform/process/pools.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { DAY_MS, Time } from '../../platform/process/time.js';
import { Outbox } from '../delivery/outbox.js';
import {
  APPLICATION_EVENT_TYPES,
  typesFor,
  WHOLE,
  type EventsReader,
  type Place,
  type Placed,
} from '../events/event.row.js';
import { EventsService } from '../events/events.service.js';
import { EventsView } from '../events/events.view.js';
import { DispatchStore } from './dispatch.store.js';
import { headersOf, laneOf, messageOf, type Message, typeOf } from './message.js';
import { GONE, isTaken, verdictOn } from './retries.js';
import type { Outcome, Taken } from './webhook.row.js';
import { WebhookSecrets } from './webhook-secrets.js';

const PATIENCE_MS = 500;
/** By the numbers of pools, and what `due` of the store calls them. */
const DUE = ['first', 'second', 'third'] as const;
const LIMITS = {
  /** Those whose last delivery succeeded at once, new and slow ones, and those that fail. */
  pools: [
    { most: 16, patienceMs: PATIENCE_MS },
    { most: 32, patienceMs: PATIENCE_MS },
    { most: 128, patienceMs: Infinity },
  ],
  most: 600,
  mostOfAnOwner: 16,
} as const;
const [PROMPT, NEW, FAILING] = [0, 1, 2] as const;
/** Longer than a turn: its last message goes out before, and the answer to it comes within 15 s. */
const LEASE_MS = 60_000;
const TURN_MS = 20_000;
const EVENTS_OF_A_TURN = 100;
const LANES = 4;
const WALKED_AT_ONCE = 1000;
const SUSPENDED_MS = 5 * 60_000;
const KEPT_MS = 30 * DAY_MS;
const FORGOTTEN_AT_ONCE = 1000;

/** What became of one message. */
interface Sent {
  readonly isTaken: boolean;
  readonly answer: Answer | null;
  readonly tookMs: number;
}

/** What has become of the messages of a turn. */
class Turn {
  failure: Sent | null = null;
  slowestMs = 0;
  taken = 0;
  /** Whether the webhook was deleted, changed or switched off meanwhile, or this process ends. */
  isStopped = false;

  add(sent: Sent): void {
    this.slowestMs = Math.max(this.slowestMs, sent.tookMs);
    if (sent.isTaken) this.taken += 1;
    else this.failure ??= sent;
  }
}

/**
 * Sends events to the addresses of webhooks. A commit writes nothing for them: one process at a time walks the log and
 * tells the webhooks that it concerns where it stands; each then reads its own events from its own place, which it moves
 * when they were taken. A process that is killed loses nothing, and what it sent is known by its id when it comes again.
 * Webhooks are taken by a lease, since a transaction that waits for somebody's server would hold back the log for all.
 */
@Injectable()
export class Dispatcher implements OnModuleDestroy {
  private readonly pools = new Pools(LIMITS, () => this.find());
  private readonly ending = new AbortController();

  constructor(
    private readonly store: DispatchStore,
    private readonly events: EventsService,
    private readonly view: EventsView,
    private readonly secrets: WebhookSecrets,
    private readonly outgoing: Outgoing,
    private readonly outbox: Outbox,
    private readonly time: Time,
    background: Background,
    @Inject(CONFIG) { outboxPollMs, housekeepingSeconds }: Config,
  ) {
    background.every('Webhooks', outboxPollMs, () => this.look());
    background.every('DeliverySweep', housekeepingSeconds * 1000, () => this.forget());
  }

  /** Cuts what is being sent, which is sent again after the next start. */
  async onModuleDestroy(): Promise<void> {
    this.ending.abort();
    await this.pools.end();
  }

  /** Sends what is due; resolves when it is on its way. */
  look(): Promise<void> {
    return this.pools.look();
  }

  /** Deletes the deliveries of long ago. */
  async forget(): Promise<void> {
    const before = new Date(this.time.now().getTime() - KEPT_MS);
    while ((await this.store.forget(before, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
  }

  private async find(): Promise<boolean> {
    const due = await this.store.due(this.time.now());
    if (due.logged) while ((await this.store.handOut(WALKED_AT_ONCE)) === WALKED_AT_ONCE);
    for (const [pool, name] of DUE.entries()) if (due[name]) await this.fill(pool);
    return due.logged;
  }

  private async fill(pool: number): Promise<void> {
    const room = this.pools.room(pool);
    if (room <= 0) return;
    const now = this.time.now();
    const until = new Date(now.getTime() + LEASE_MS);
    const taken = await this.store.take({ pool, limit: room, without: this.pools.full() }, now, until);
    for (const webhook of taken) {
      const owner = (webhook.applicationId ?? webhook.userId)!;
      this.pools.begin(pool, owner, () => this.turn(webhook));
    }
  }

  /** Sends for a webhook what it is due, and says when it is due again. */
  private async turn(webhook: Taken): Promise<void> {
    if (webhook.isOrphan) return this.finish(webhook, { offReason: 'switchedOff' });
    if (webhook.isCutOff) return this.finish(webhook, { offReason: 'tokenEnded' });
    const now = this.time.now();
    if (this.secrets.of(webhook, now) === null) return this.finish(webhook, { offReason: 'secretLost' });
    if (webhook.isSuspended === true) {
      return this.finish(webhook, { dueAt: new Date(now.getTime() + SUSPENDED_MS) });
    }
    const endsAt = now.getTime() + TURN_MS;
    const [asked, turn] = [new Turn(), new Turn()];
    const met = await this.sendAsked(webhook, asked, endsAt);
    if (asked.failure?.answer?.status === GONE) return this.finish(webhook, { ...met, offReason: 'gone' });
    // What is asked for in a pause does not make the pause longer, and ends it only if something was taken.
    const isPaused = webhook.tries > 0 && asked.failure !== null && asked.taken === 0;
    if (isPaused)
      return this.finish(webhook, { ...met, ...this.pauseAfter(webhook, asked.failure!, webhook.tries) });
    const place = asked.isStopped ? {} : await this.sendEvents(webhook, turn, endsAt);
    await this.finish(webhook, { ...met, ...place, ...this.healthAfter(webhook, turn) });
  }

  /** What somebody asked for goes out first, each once, whatever becomes of it. */
  private async sendAsked(webhook: Taken, turn: Turn, endsAt: number): Promise<Partial<Outcome>> {
    const asked = await this.store.asked(webhook.id, EVENTS_OF_A_TURN);
    let sent = 0;
    for (const message of asked) {
      if (turn.isStopped || this.time.now().getTime() >= endsAt) break;
      await this.send(webhook, message, turn);
      sent += 1;
    }
    const isAll = sent === asked.length && asked.length < EVENTS_OF_A_TURN;
    return isAll ? { asksMet: webhook.asks } : {};
  }

  /** Sends the next events, and returns the place behind those that were taken without a gap. */
  private async sendEvents(webhook: Taken, turn: Turn, endsAt: number): Promise<Partial<Outcome>> {
    const { placeTide: tide, placeId: id, placePart: part } = webhook;
    const reader = readerOf(webhook);
    const place = { tide, id, part: Number(part) };
    const read = await this.events.ofReader(reader, place, EVENTS_OF_A_TURN);
    // The log of a game is read as a whole.
    const events = read.filter(({ event }) => reader.types.includes(event.type));
    const messages = await Promise.all(events.map((event) => this.messageOf(webhook, event)));
    // What was taken behind one that failed, or by a process that was killed before it could say so.
    const done = new Set(
      await this.store.delivered(
        webhook.id,
        messages.map(({ messageId }) => messageId),
      ),
    );
    await Promise.all(
      Array.from({ length: LANES }, async (_, lane) => {
        for (const [i, { event }] of events.entries()) {
          const message = messages[i]!;
          if (laneOf(event, LANES) !== lane || done.has(message.messageId)) continue;
          if (turn.isStopped || turn.failure !== null || this.time.now().getTime() >= endsAt) return;
          if (await this.send(webhook, message, turn)) done.add(message.messageId);
          else return;
        }
      }),
    );
    const left = messages.findIndex(({ messageId }) => !done.has(messageId));
    if (left >= 0) return left === 0 ? {} : placeAt(events[left - 1]!);
    return read.length < EVENTS_OF_A_TURN ? behind(webhook, read.at(-1)) : placeAt(read.at(-1)!);
  }

  private async messageOf({ id }: Taken, placed: Placed<Place>): Promise<Message> {
    return messageOf(id, placed, await this.view.receipt(placed.event));
  }

  /** Sends one message, and notes what became of it. */
  private async send(webhook: Taken, message: Message, turn: Turn): Promise<boolean> {
    const triedAt = this.time.now();
    const headers = headersOf(message, this.secrets.of(webhook, triedAt)!, triedAt);
    const begun = performance.now();
    const { answer, failure } = await this.outgoing
      .post(webhook.url, { headers, body: message.body }, this.ending.signal)
      .then(
        (given) => ({ answer: given, failure: null }),
        (error: unknown) => {
          if (error instanceof Unanswered) return { answer: null, failure: error.message };
          throw error;
        },
      );
    turn.isStopped ||= this.ending.signal.aborted;
    // Cut by the end of this process, which says nothing about the address.
    if (turn.isStopped && answer === null) return false;
    const tookMs = Math.round(performance.now() - begun);
    const status = answer?.status ?? null;
    const tried = { ...message, triedAt, tookMs, status, failure, answer: answer?.beginning ?? null };
    turn.isStopped ||= !(await this.store.note(webhook, tried));
    turn.add({ isTaken: isTaken(status), answer, tookMs });
    return isTaken(status);
  }

  private healthAfter(webhook: Taken, { failure, taken, slowestMs }: Turn): Partial<Outcome> {
    if (failure !== null) return this.pauseAfter(webhook, failure, webhook.tries + 1);
    if (taken === 0) return {};
    return { pool: slowestMs <= PATIENCE_MS ? PROMPT : NEW, tries: 0, failingSince: null };
  }

  /** When to try again, or that nothing is tried any more, after so many failures in a row. */
  private pauseAfter({ failingSince, pool }: Taken, { answer }: Sent, tries: number): Partial<Outcome> {
    const now = this.time.now();
    const since = failingSince ?? now;
    const verdict = verdictOn(answer, { tries, since, now, chance: Math.random() });
    const failed = { tries, failingSince: since };
    return 'off' in verdict
      ? { ...failed, pool, offReason: verdict.off }
      : { ...failed, pool: FAILING, dueAt: verdict.again };
  }

  /** Ends the lease; what has been off since then its owners are told, in the same transaction. */
  private async finish(webhook: Taken, change: Partial<Outcome>): Promise<void> {
    const now = this.time.now();
    const { placeTide, placeId, placePart, pool, tries, failingSince, asksMet } = webhook;
    const same = { placeTide, placeId, placePart, pool, tries, failingSince, asksMet, offReason: null };
    const outcome: Outcome = { ...same, dueAt: now, ...change };
    const { offReason: reason } = outcome;
    const isNews = reason !== null && reason !== 'switchedOff';
    const owners = isNews ? await this.store.ownersOf(webhook) : [];
    await this.store.transaction(async (tx) => {
      if (!(await this.store.finish(webhook, outcome, now, tx)) || !isNews) return;
      const about = { at: now.toISOString(), host: new URL(webhook.url).host, reason };
      for (const owner of owners) await this.outbox.tell(owner, 'webhookOff', about, tx);
    });
  }
}

/** The events that a webhook may send, and is to send. */
function readerOf({ userId, applicationId, scopes, types }: Taken): EventsReader {
  const chosen = types === '' ? null : types.split(' ').map(typeOf);
  const allowed = applicationId === null ? typesFor(scopesIn(scopes)) : APPLICATION_EVENT_TYPES;
  return {
    of: applicationId === null ? 'user' : 'application',
    id: (applicationId ?? userId)!,
    types: allowed.filter((type) => chosen?.includes(type) ?? true),
  };
}

const placeAt = ({ place: { tide, id, part } }: Placed<Place>): Partial<Outcome> => ({
  placeTide: tide,
  placeId: id,
  placePart: BigInt(part),
});

/** The place behind all that is known of, whether there was something to send there or not. */
function behind({ lastTide, lastId }: Taken, last: Placed<Place> | undefined): Partial<Outcome> {
  const isFurther =
    last !== undefined &&
    (last.place.tide > lastTide || (last.place.tide === lastTide && last.place.id > lastId));
  if (isFurther) return placeAt(last);
  return { placeTide: lastTide, placeId: lastId, placePart: BigInt(WHOLE) };
}
