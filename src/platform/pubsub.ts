import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';

/** What is announced: that something changed, never what it is now. Whoever hears of it asks for his own view. */
export type Topic = `game.${string}`;

/** A fact of one process: `version` is the newest one that has been committed. */
export interface Announcement {
  readonly version: number;
}

@Injectable()
export class PubSub {
  // Thousands may watch one game.
  private readonly emitter = new EventEmitter().setMaxListeners(0);

  publish(topic: Topic, announcement: Announcement): void {
    this.emitter.emit(topic, announcement);
  }

  /**
   * What is announced until the iterator is returned, beginning with what is there at the start: the version `from`.
   * A slow listener hears the newest only: the rest is out of date. Nobody hears of a version twice.
   */
  subscribe(topic: Topic, from: number): AsyncIterableIterator<Announcement> {
    let newest: Announcement | null = { version: from };
    let heard = from;
    let done = false;
    let wake = (): void => undefined;
    const hear = (announcement: Announcement): void => {
      if (announcement.version <= heard) return;
      heard = announcement.version;
      newest = announcement;
      wake();
    };
    this.emitter.on(topic, hear);
    // Not a generator: one that waits cannot be returned.
    return {
      next: async () => {
        while (newest === null && !done) await new Promise<void>((resolve) => (wake = resolve));
        if (done || newest === null) return { done: true, value: undefined };
        const value = newest;
        newest = null;
        return { done: false, value };
      },
      return: () => {
        done = true;
        this.emitter.off(topic, hear);
        wake();
        return Promise.resolve({ done: true, value: undefined });
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}
