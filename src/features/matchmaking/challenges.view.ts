import { Inject, Injectable } from '@nestjs/common';
import type { Viewer } from '../auth/viewer.js';
import type { Config } from '../../config.js';
import { CONFIG } from '../../platform/config.module.js';
import { Cursors } from '../../platform/cursors.js';
import { timeControlOf } from '../games/clocks.view.js';
import { gather } from '../../platform/gather.js';
import { pageOf, type PageRequest } from '../../platform/page.js';
import { Time } from '../../platform/time.js';
import { RatingsService } from '../ratings/ratings.service.js';
import { UsersService } from '../users/users.service.js';
import { statusAt, type ChallengeRow } from './challenge.row.js';
import type { Challenge, ChallengeConnection, PoolRating } from './challenges.model.js';
import { ChallengesStore, type Box } from './challenges.store.js';
import { shownRating } from './matching.store.js';
import { linkToken } from './links.js';

const ON_A_PAGE = 20;

/** From rows to what leaves: the same for both transports. */
@Injectable()
export class ChallengesView {
  private readonly rows = gather((ids: readonly string[]) => this.store.byIds(ids));

  constructor(
    private readonly store: ChallengesStore,
    private readonly users: UsersService,
    private readonly ratings: RatingsService,
    private readonly time: Time,
    private readonly cursors: Cursors,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** One that exists, for a caller who knows that it may be seen; all that are asked for at once are read together. */
  async byId(id: string, viewer: Viewer | null): Promise<Challenge> {
    return this.challenge(await this.rows(id), viewer);
  }

  async challenge(row: ChallengeRow, viewer: Viewer | null): Promise<Challenge> {
    const [creator, opponent, creatorRating] = await Promise.all([
      this.users.one(row.creatorId),
      row.opponentId === null ? null : this.users.one(row.opponentId),
      this.ratingOf(row),
    ]);
    const isLink = row.kind === 'link' && row.opponentId === null && viewer?.userId === row.creatorId;
    return {
      id: row.id,
      kind: row.kind,
      status: statusAt(row, this.time.now()),
      creator,
      creatorRating,
      opponent,
      linkToken: isLink ? linkToken(this.config.tokenSecret, row.id) : null,
      ruleset: row.ruleset,
      options: row.options,
      timeControl: timeControlOf(row.timeControl),
      rated: row.rated,
      ratingRange: { min: row.minRating, max: row.maxRating },
      side: row.side,
      commitment: row.commitment,
      clientSeedHash: row.creatorClientSeedHash,
      createdAt: row.createdAt,
      expiresAt: row.expiresAt,
      answeredAt: row.answeredAt,
      rematchOf: row.rematchOf,
      gameId: row.gameId,
      declineReason: row.declineReason,
      counterTo: row.counterTo,
    };
  }

  /** The open ones to or from the viewer, newest first. */
  open(viewer: Viewer, box: Box, page: PageRequest): Promise<ChallengeConnection> {
    return pageOf(page, {
      cursors: this.cursors.of<string>('challenges', viewer.userId, box),
      size: ON_A_PAGE,
      read: ({ after = null, limit }) => this.store.open(viewer.userId, box, this.time.now(), after, limit),
      key: ({ id }) => id,
      node: (row) => this.challenge(row, viewer),
    });
  }

  /** Read with all that are asked for at once, whatever their pools. */
  private async ratingOf({ creatorId, ruleset }: ChallengeRow): Promise<PoolRating> {
    const { rating, provisional } = await this.ratings.ofUserIn(creatorId, ruleset);
    return { rating: shownRating(rating), provisional };
  }
}
