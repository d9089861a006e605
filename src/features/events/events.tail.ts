import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { Background } from '../../platform/background.js';
import { CONFIG } from '../../platform/config.module.js';
import { PubSub } from '../../platform/pubsub.js';
import { EventsStore } from './events.store.js';

const MOST_AT_ONCE = 1000;

/**
 * Polls the end of the log, which all instances write, while there are listeners, and wakes those concerned: one
 * statement at a time, however many they are.
 */
@Injectable()
export class EventsTail {
  private listeners = 0;
  private round = 0;
  /** Null while there are no listeners. */
  private place: Promise<{ readonly tide: bigint; readonly id: bigint }> | null = null;

  constructor(
    private readonly store: EventsStore,
    private readonly pubsub: PubSub,
    background: Background,
    @Inject(CONFIG) { outboxPollMs }: Pick<Config, 'outboxPollMs'>,
  ) {
    background.every('Events', outboxPollMs, () => this.poll());
  }

  /** Signals at once, and whenever there is something new, that a user may have new events. */
  async listen(userId: string): Promise<AsyncIterableIterator<unknown>> {
    this.listeners += 1;
    let left = () => {
      left = () => undefined;
      this.listeners -= 1;
    };
    try {
      this.place ??= this.end();
      await this.place;
    } catch (error) {
      this.place = null;
      left();
      throw error;
    }
    const wakes = this.pubsub.subscribe(`events.${userId}`, this.round);
    const stop = wakes.return!.bind(wakes);
    wakes.return = () => {
      left();
      return stop();
    };
    return wakes;
  }

  private async poll(): Promise<void> {
    if (this.listeners === 0) this.place = null;
    if (this.place === null) return;
    for (;;) {
      const rows = await this.store.concerned(await this.place, MOST_AT_ONCE);
      const last = rows.at(-1);
      if (last === undefined) return;
      this.round += 1;
      for (const userId of new Set(rows.flatMap(({ userId, otherId }) => [userId, otherId]))) {
        if (userId !== null) this.pubsub.publish(`events.${userId}`, { version: this.round });
      }
      this.place = Promise.resolve(last);
    }
  }

  private async end() {
    return { tide: await this.store.horizon(), id: 0n };
  }
}
