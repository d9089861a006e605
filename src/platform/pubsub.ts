import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';

/** What is announced: that something changed, never what it is now. Whoever hears of it asks for his own view. */
export type Topic = `game.${string}` | `events.${string}`;

/** A fact of one process: `version` is the newest one that has been committed. */
export interface Announcement {
  readonly version: number;
}

/** A seek that came or went; null: more of them than are listed, so read the lobby. */
export interface SeekAnnouncement {
  readonly id: string | null;
}

const LOBBY = 'lobby';

/** Seeks of which a slow listener has not heard yet; for more he is told to read the lobby. */
export const MOST_SEEKS_WAITING = 100;

@Injectable()
export class PubSub {
  // Thousands may watch one game.
  private readonly emitter = new EventEmitter().setMaxListeners(0);

  publish(topic: Topic, announcement: Announcement): void {
    this.emitter.emit(topic, announcement);
  }

  publishSeek(id: string): void {
    // One for all who hear of it: what they ask alike is then worked out once.
    const announcement: SeekAnnouncement = { id };
    this.emitter.emit(LOBBY, announcement);
  }

  /**
   * What is announced until the iterator is returned, beginning with what is there at the start: the version `from`.
   * A slow listener hears the newest only: the rest is out of date. Nobody hears of a version twice.
   */
  subscribe(topic: Topic, from: number): AsyncIterableIterator<Announcement> {
    let newest: Announcement | null = { version: from };
    let heard = from;
    const hear = (announcement: Announcement): void => {
      if (announcement.version <= heard) return;
      heard = announcement.version;
      newest = announcement;
    };
    const take = (): Announcement | null => {
      const taken = newest;
      newest = null;
      return taken;
    };
    return this.listen(topic, hear, take);
  }

  /**
   * Each seek that comes or goes until the iterator is returned, beginning with null: from now on nothing is missed.
   * What a slow listener has not heard yet is kept once for each seek, and up to a bound; behind it he hears null again.
   */
  subscribeSeeks(): AsyncIterableIterator<SeekAnnouncement> {
    const waiting = new Map<string | null, SeekAnnouncement>([[null, { id: null }]]);
    const hear = (announcement: SeekAnnouncement): void => {
      if (waiting.has(null)) return;
      waiting.set(announcement.id, announcement);
      if (waiting.size <= MOST_SEEKS_WAITING) return;
      waiting.clear();
      waiting.set(null, { id: null });
    };
    const take = (): SeekAnnouncement | null => {
      for (const [id, announcement] of waiting) {
        waiting.delete(id);
        return announcement;
      }
      return null;
    };
    return this.listen(LOBBY, hear, take);
  }

  /** `hear` keeps what is announced; `take` gives what is kept and not told yet, or null. */
  private listen<Heard, Told>(
    topic: string,
    hear: (heard: Heard) => void,
    take: () => Told | null,
  ): AsyncIterableIterator<Told> {
    let done = false;
    let wake = (): void => undefined;
    const listener = (heard: Heard): void => {
      hear(heard);
      wake();
    };
    this.emitter.on(topic, listener);
    // Not a generator: one that waits cannot be returned.
    return {
      next: async () => {
        while (!done) {
          const told = take();
          if (told !== null) return { done: false, value: told };
          await new Promise<void>((resolve) => (wake = resolve));
        }
        return { done: true, value: undefined };
      },
      return: () => {
        done = true;
        this.emitter.off(topic, listener);
        wake();
        return Promise.resolve({ done: true, value: undefined });
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}
