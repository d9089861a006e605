import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** Announcements say that something changed, never what it is now: each listener reads its own view. */
export type Topic = `game.${string}` | `events.${string}`;

/** `version` is the newest committed one. */
export interface Announcement {
  readonly version: number;
  /** The least version that its listeners were shown: a later one if the game changed before all of them read it. */
  shown?: number;
}

/** A seek that was opened or closed; null if there are too many to list: read the lobby. */
export interface SeekAnnouncement {
  readonly id: string | null;
}

/** What a listener hears, as an iterator or by calls, but not both. */
export interface Listening<Told> extends AsyncIterableIterator<Told> {
  /**
   * Calls `deliver` with each announcement, and with the next one once the promise of the last, if any, is fulfilled.
   * For a thousand listeners this costs far less than their iterators. Fulfilled once the iterator is returned; rejected
   * if `deliver` fails, which ends it.
   */
  each(deliver: (told: Told) => Promise<unknown> | null): Promise<void>;
}

const LOBBY = 'lobby';
/** Below all versions, any of which may now be new. */
const AGAIN = 0;

/** The most seeks kept for a slow listener; beyond that it is told to read the lobby. */
export const MOST_SEEKS_WAITING = 100;

/** The seeks of which it is known what was announced last. One that is forgotten may be announced twice. */
const MOST_SEEKS_KNOWN = 10_000;

/**
 * Tells the listeners of this process what was committed: who commits says so at once, and the Announcer says it again
 * when it reads it in the log. Listeners hear of each change once.
 */
@Injectable()
export class PubSub {
  // Thousands of listeners may watch one game.
  private readonly emitter = new EventEmitter().setMaxListeners(0);
  /** Whether each seek was open when it was announced last. */
  private readonly seeks = new LRUCache<string, boolean>({ max: MOST_SEEKS_KNOWN });

  /** Whether anybody listens in this process. */
  get isHeard(): boolean {
    return this.emitter.eventNames().length > 0;
  }

  publish(topic: Topic, announcement: Announcement): void {
    this.emitter.emit(topic, announcement);
  }

  /** A seek opens once and closes once. */
  publishSeek(id: string, isOpen: boolean): void {
    const wasOpen = this.seeks.get(id);
    if (wasOpen === false || wasOpen === isOpen) return;
    this.seeks.set(id, isOpen);
    // One object for all listeners, so that equal subscriptions are resolved once.
    const announcement: SeekAnnouncement = { id };
    this.emitter.emit(LOBBY, announcement);
  }

  /** Tells all listeners to look again at what they follow: commits were lost, and numbers come again. */
  wakeAll(): void {
    this.seeks.clear();
    for (const topic of this.emitter.eventNames()) this.emitter.emit(topic, { version: AGAIN, id: null });
  }

  /**
   * Announcements until the iterator is returned, beginning with the version `from`. A slow listener gets only the
   * newest version, and none that it was shown before.
   */
  subscribe(topic: Topic, from: number): Listening<Announcement> {
    let newest: Announcement | null = { version: from };
    let taken: Announcement | null = null;
    let heard = from;
    const hear = (announcement: Announcement): void => {
      if (announcement.version <= heard && announcement.version !== AGAIN) return;
      heard = announcement.version;
      newest = announcement;
    };
    const take = (): Announcement | null => {
      const next = newest;
      newest = null;
      if (next === null || (next.version !== AGAIN && next.version <= (taken?.shown ?? AGAIN))) return null;
      taken = next;
      return next;
    };
    return this.listen(topic, hear, take);
  }

  /**
   * Seeks that open or close until the iterator is returned, beginning with null to say that nothing is missed from now
   * on. For a slow listener each seek is kept once, up to a limit; beyond it the listener gets null again.
   */
  subscribeSeeks(): Listening<SeekAnnouncement> {
    const waiting = new Map<string | null, SeekAnnouncement>([[null, { id: null }]]);
    const hear = (announcement: SeekAnnouncement): void => {
      if (waiting.has(null)) return;
      waiting.set(announcement.id, announcement);
      if (announcement.id !== null && waiting.size <= MOST_SEEKS_WAITING) return;
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
  ): Listening<Told> {
    const listener = new Listener(take, () => this.emitter.off(topic, told));
    const told = (heard: Heard): void => {
      hear(heard);
      listener.wake();
    };
    this.emitter.on(topic, told);
    return listener;
  }
}

/** Not a generator, because a waiting generator cannot be returned. */
class Listener<Told> implements Listening<Told> {
  private done = false;
  /** Called when there may be something to take. */
  wake: () => void = () => undefined;

  constructor(
    private readonly take: () => Told | null,
    private readonly leave: () => void,
  ) {}

  async next(): Promise<IteratorResult<Told>> {
    while (!this.done) {
      const told = this.take();
      if (told !== null) return { done: false, value: told };
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    return { done: true, value: undefined };
  }

  each(deliver: (told: Told) => Promise<unknown> | null): Promise<void> {
    return new Promise((resolve, reject) => {
      let isDelivering = false;
      const fail = (error: Error): void => {
        reject(error);
        void this.return();
      };
      const goOn = (): void => {
        isDelivering = false;
        this.wake();
      };
      this.wake = () => {
        try {
          for (let told; !this.done && !isDelivering && (told = this.take()) !== null;) {
            const delivered = deliver(told);
            isDelivering = delivered !== null;
            delivered?.then(goOn, fail);
          }
        } catch (error) {
          fail(error as Error);
        }
        if (this.done) resolve();
      };
      this.wake();
    });
  }

  return(): Promise<IteratorResult<Told>> {
    this.done = true;
    this.leave();
    this.wake();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
