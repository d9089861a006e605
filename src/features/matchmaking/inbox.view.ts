import { Injectable } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import { GamesService } from '../games/games.service.js';
import { Cursors } from '../../platform/contract/cursors.js';
import { connect, rangeOf, type PageRequest, DEFAULT_PAGE_SIZE } from '../../platform/contract/page.js';
import { Time } from '../../platform/process/time.js';
import { UsersService } from '../users/users.service.js';
import { ChallengesStore } from './challenges.store.js';
import {
  challengeEntry,
  isChallenge,
  newestFirst,
  offerEntries,
  type InboxEntry,
  type InboxKey,
} from './inbox.entry.js';
import type { InboxConnection, InboxItem } from './inbox.model.js';

/** Builds the inbox for both transports: all that awaits a user's answer and has not expired. */
@Injectable()
export class InboxView {
  constructor(
    private readonly challenges: ChallengesStore,
    private readonly games: GamesService,
    private readonly users: UsersService,
    private readonly cursors: Cursors,
    private readonly time: Time,
  ) {}

  async page({ userId }: Principal, page: PageRequest): Promise<InboxConnection> {
    const list = this.cursors.of<InboxKey>('inbox', userId);
    const range = rangeOf(page, list, DEFAULT_PAGE_SIZE);
    const { entries, count } = await this.waiting(userId, range.after ?? null, range.limit);
    const cursor = ({ at, id, kind }: InboxKey) => list.make({ at, id, kind });
    return { ...(await connect(entries, range, cursor, (entry) => this.item(entry))), totalCount: count };
  }

  /** Up to `limit` items behind the key `after`, newest first, and the number of all items. */
  private async waiting(
    userId: string,
    after: InboxKey | null,
    limit: number,
  ): Promise<{ readonly entries: readonly InboxEntry[]; readonly count: number }> {
    const now = this.time.now();
    const [{ running }, challenges, count] = await Promise.all([
      this.games.current(userId),
      this.challenges.incoming(userId, now, after && { createdAt: after.at, id: after.id }, limit),
      this.challenges.countIncoming(userId, now),
    ]);
    const offers = running.flatMap(offerEntries);
    const behind = after === null ? offers : offers.filter((offer) => newestFirst(offer, after) > 0);
    const entries = [...challenges.map(challengeEntry), ...behind].sort(newestFirst).slice(0, limit);
    return { entries, count: count + offers.length };
  }

  private async item(entry: InboxEntry): Promise<InboxItem> {
    const { id, kind, at, fromId, expiresAt, ply } = entry;
    const from = await this.users.one(fromId);
    const [gameId, challengeId] = isChallenge(entry) ? [null, id] : [id, null];
    return { kind, at, gameId, challengeId, from, expiresAt, ply };
  }
}
