import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Config } from '../../config.js';
import { AnnouncementsStore, MOST_AT_ONCE, type LoggedChange } from './announcements.store.js';
import type { Landmark } from './landmark.js';
import { Background } from '../process/background.js';
import { CONFIG } from '../process/config.module.js';
import { PrismaService } from '../database/prisma.service.js';
import type { RepeatedTask } from '../process/repeated-task.js';
import { PubSub } from './pubsub.js';

/** In place of an id: all public events. */
export const EVERYBODY = 'everybody';

const MOST_PAGES_OF_A_POLL = 50;

/** When to look once more, if a nudge came and nothing was found: what was stored may wait for an older transaction. */
const ONCE_MORE_MS = 100;

/**
 * Publishes what all instances write into the event log: one statement at a time, however many listen. This includes the
 * commits of this process, which does not know of one whose answer was lost with the connection. The log is polled; nudges
 * only make it sooner.
 */
@Injectable()
export class Announcer implements OnApplicationBootstrap {
  private listeners: number;
  private round = 0;
  /** Null while nothing is read. */
  private position: Promise<Landmark> | null = null;
  private readonly task: RepeatedTask;
  private isNudged = false;

  constructor(
    private readonly prisma: PrismaService,
    private readonly log: AnnouncementsStore,
    private readonly pubsub: PubSub,
    background: Background,
    @Inject(CONFIG) private readonly config: Pick<Config, 'outboxPollMs' | 'outboxNudgeMs'>,
  ) {
    // An embedded database has no other instances and no connection to lose: only listeners for events need its log.
    this.listeners = prisma.kind === 'embedded' ? 0 : 1;
    this.task = background.every('Announcer', config.outboxPollMs, () => this.poll());
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.listeners > 0) await (this.position = this.log.end());
    const { outboxNudgeMs } = this.config;
    if (outboxNudgeMs > 0) this.prisma.onStored(outboxNudgeMs, () => this.nudge(outboxNudgeMs));
  }

  /** The last event that was published; the end of the log while nothing is read. */
  reached(): Promise<Landmark> {
    return this.position ?? this.log.end();
  }

  /** Signals at once, and whenever there is something new, that a user, an application or everybody may have new events. */
  async listen(id: string): Promise<AsyncIterableIterator<unknown>> {
    this.listeners += 1;
    let left = () => {
      left = () => undefined;
      this.listeners -= 1;
    };
    try {
      this.position ??= this.log.end();
      await this.position;
    } catch (error) {
      this.position = null;
      left();
      throw error;
    }
    const wakes = this.pubsub.subscribe(`events.${id}`, this.round);
    const stop = wakes.return!.bind(wakes);
    wakes.return = () => {
      left();
      return stop();
    };
    return wakes;
  }

  /** Something was stored: polls at once, if anybody listens. */
  private nudge(spacingMs: number): void {
    if (!this.pubsub.isHeard) return;
    this.isNudged = true;
    this.task.hurry(spacingMs);
  }

  private async poll(): Promise<void> {
    const { isNudged } = this;
    this.isNudged = false;
    if (this.listeners === 0) this.position = null;
    for (let page = 0; page < MOST_PAGES_OF_A_POLL && this.position !== null; page++) {
      const rows = await this.log.after(await this.position);
      if (rows === null) return this.startAgain();
      if (rows.length === 0) {
        if (isNudged && page === 0) this.task.hurry(ONCE_MORE_MS);
        return;
      }
      const { tide, id, mark } = rows.at(-1)!;
      this.position = Promise.resolve({ tide, id, mark });
      this.publish(rows);
      // What comes meanwhile has a nudge of its own, or waits for the next poll.
      if (rows.length < MOST_AT_ONCE) return;
    }
  }

  /** What was published last is lost, by a failover or a restoration: every listener looks at what it has itself. */
  private async startAgain(): Promise<void> {
    this.position = Promise.resolve(await this.log.end());
    this.pubsub.wakeAll();
  }

  private publish(rows: readonly LoggedChange[]): void {
    this.round += 1;
    for (const { gameId, version, announcedSeek, isOpening } of rows) {
      if (gameId !== null) this.pubsub.publish(`game.${gameId}`, { version: version! });
      if (announcedSeek !== null) this.pubsub.publishSeek(announcedSeek, isOpening);
    }
    for (const id of new Set(rows.flatMap((row) => [row.userId, row.otherId, row.applicationId]))) {
      if (id !== null) this.pubsub.publish(`events.${id}`, { version: this.round });
    }
    if (rows.some(({ isPublic }) => isPublic)) {
      this.pubsub.publish(`events.${EVERYBODY}`, { version: this.round });
    }
  }
}
