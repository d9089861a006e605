import { Injectable } from '@nestjs/common';
import type { Viewer } from '../auth/viewer.js';
import { GamesService } from '../games/games.service.js';
import { Time } from '../../platform/time.js';
import { ChallengesStore } from './challenges.store.js';
import { challengeEntry, newestFirst, offerEntries, type InboxEntry, type InboxKey } from './inbox.entry.js';

/** Everything that wants an answer of a user, and nothing whose time is over. */
@Injectable()
export class InboxService {
  constructor(
    private readonly store: ChallengesStore,
    private readonly games: GamesService,
    private readonly time: Time,
  ) {}

  /** Up to `limit` behind the key `after`, newest first; and how many there are in all. */
  async waiting(
    { userId }: Viewer,
    after: InboxKey | null,
    limit: number,
  ): Promise<{ readonly entries: readonly InboxEntry[]; readonly count: number }> {
    const now = this.time.now();
    const [{ running }, challenges, count] = await Promise.all([
      this.games.goingOn(userId),
      this.store.incoming(userId, now, after && { createdAt: after.at, id: after.id }, limit),
      this.store.countIncoming(userId, now),
    ]);
    const offers = running.flatMap(offerEntries);
    const behind = after === null ? offers : offers.filter((offer) => newestFirst(offer, after) > 0);
    const entries = [...challenges.map(challengeEntry), ...behind].sort(newestFirst).slice(0, limit);
    return { entries, count: count + offers.length };
  }
}
