import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';

/** Announcements say that something changed, never what it is now: each listener reads its own view. */
export type Topic = `game.${string}` | `events.${string}`;

/** `version` is the newest committed one. */
export interface Announcement {
  readonly version: number;
}

/** A seek that was opened or closed; null if there are too many to list: read the lobby. */
export interface SeekAnnouncement {
  readonly id: string | null;
}

const LOBBY = 'lobby';

/** The most seeks kept for a slow listener; beyond that it is told to read the lobby. */
export const MOST_SEEKS_WAITING = 100;

@Injectable()
export class PubSub {
  // Thousands of listeners may watch one game.
  private readonly emitter = new EventEmitter().setMaxListeners(0);

  publish(topic: Topic, announcement: Announcement): void {
    this.emitter.emit(topic, announcement);
  }

  publishSeek(id: string): void {
    // One object for all listeners, so that equal subscriptions are resolved once.
    const announcement: SeekAnnouncement = { id };
    this.emitter.emit(LOBBY, announcement);
  }

  /**
   * Announcements until the iterator is returned, beginning with the version `from`. A slow listener gets only the
   * newest version, and no version twice.
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
   * Seeks that open or close until the iterator is returned, beginning with null to say that nothing is missed from now
   * on. For a slow listener each seek is kept once, up to a limit; beyond it the listener gets null again.
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

  /** `hear` stores an announcement; `take` returns what is stored and not yet delivered, or null. */
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
    // Not a generator, because a waiting generator cannot be returned.
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
