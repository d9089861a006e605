import type { Principal } from './principal.js';

/** What was last seen of a session, for a few seconds, so that not every request reads its row. */

const SECONDS_KNOWN = 5;
const MAX = 10_000;

interface Sighting {
  readonly live: boolean;
  readonly until: number;
}

/** Whose session: a token signed with another user's id must learn nothing of it, and do nothing to it. */
export type SessionOf = Pick<Principal, 'sessionId' | 'userId'>;

const keyOf = ({ sessionId, userId }: SessionOf) => `${sessionId} ${userId}`;

/** Remembers which sessions were live. An end is final: no reading that began before it undoes it. */
export class Liveness {
  private readonly seen = new Map<string, Sighting>();

  /** Null when nothing is known, or nothing any more. */
  get(session: SessionOf, now: Date): boolean | null {
    const sighting = this.seen.get(keyOf(session));
    if (sighting === undefined) return null;
    return !sighting.live || now.getTime() < sighting.until ? sighting.live : null;
  }

  /** Notes what was read and answers what holds. */
  set(session: SessionOf, live: boolean, now: Date): boolean {
    const key = keyOf(session);
    if (this.seen.get(key)?.live === false) return false;
    this.note(key, { live, until: now.getTime() + SECONDS_KNOWN * 1000 });
    return live;
  }

  end(session: SessionOf): void {
    this.note(keyOf(session), { live: false, until: 0 });
  }

  // The one noted longest ago makes room: a Map keeps the order of insertion.
  private note(key: string, sighting: Sighting): void {
    this.seen.delete(key);
    this.seen.set(key, sighting);
    const [oldest] = this.seen.keys();
    if (this.seen.size > MAX && oldest !== undefined) this.seen.delete(oldest);
  }
}
