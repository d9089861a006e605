import type { Principal } from './principal.js';

/** A short-lived cache of whether sessions are open, so that not every request reads a row. */

const KNOWN_MS = 5000;
/** The same while this process does not hear of the sessions that others end. */
const KNOWN_UNHEARD_MS = 1000;
const MAX = 10_000;

interface Sighting {
  readonly live: boolean;
  readonly at: number;
}

/** The user is part of the key: a token with another user's id must neither see nor change the session. */
export type SessionOf = Pick<Principal, 'sessionId' | 'userId'>;

export const sessionKey = ({ sessionId, userId }: SessionOf): string => `${sessionId} ${userId}`;

/** Remembers which sessions are open. An end is final: a read that began before it cannot undo it. */
export class Liveness {
  private readonly seen = new Map<string, Sighting>();
  private heardAt = -Infinity;

  /** The ends that other processes made known before this moment have been told to `end`. */
  heard(now: Date): void {
    this.heardAt = now.getTime();
  }

  /** Null if unknown or expired. */
  get(session: SessionOf, now: Date): boolean | null {
    const sighting = this.seen.get(sessionKey(session));
    if (sighting === undefined) return null;
    const isHearing = now.getTime() - this.heardAt < KNOWN_UNHEARD_MS;
    const until = sighting.at + (isHearing ? KNOWN_MS : KNOWN_UNHEARD_MS);
    return !sighting.live || now.getTime() < until ? sighting.live : null;
  }

  /** Stores what was read and returns what is true. */
  set(session: SessionOf, live: boolean, now: Date): boolean {
    const key = sessionKey(session);
    if (this.seen.get(key)?.live === false) return false;
    this.note(key, { live, at: now.getTime() });
    return live;
  }

  end(session: SessionOf): void {
    this.note(sessionKey(session), { live: false, at: 0 });
  }

  // A Map keeps insertion order: the oldest entry is dropped.
  private note(key: string, sighting: Sighting): void {
    this.seen.delete(key);
    this.seen.set(key, sighting);
    const [oldest] = this.seen.keys();
    if (this.seen.size > MAX && oldest !== undefined) this.seen.delete(oldest);
  }
}
