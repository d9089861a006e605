/** What was last seen of a session, for a few seconds, so that not every request reads its row. */

const SECONDS_KNOWN = 5;
const MAX = 10_000;

interface Sighting {
  readonly live: boolean;
  readonly until: number;
}

/** Remembers which sessions were live. An end is final: no reading that began before it undoes it. */
export class Liveness {
  private readonly seen = new Map<string, Sighting>();

  /** Null when nothing is known, or nothing any more. */
  get(sessionId: string, now: Date): boolean | null {
    const sighting = this.seen.get(sessionId);
    if (sighting === undefined) return null;
    return !sighting.live || now.getTime() < sighting.until ? sighting.live : null;
  }

  /** Notes what was read and answers what holds. */
  set(sessionId: string, live: boolean, now: Date): boolean {
    if (this.seen.get(sessionId)?.live === false) return false;
    this.note(sessionId, { live, until: now.getTime() + SECONDS_KNOWN * 1000 });
    return live;
  }

  end(sessionId: string): void {
    this.note(sessionId, { live: false, until: 0 });
  }

  // The one noted longest ago makes room: a Map keeps the order of insertion.
  private note(sessionId: string, sighting: Sighting): void {
    this.seen.delete(sessionId);
    this.seen.set(sessionId, sighting);
    const [oldest] = this.seen.keys();
    if (this.seen.size > MAX && oldest !== undefined) this.seen.delete(oldest);
  }
}
