import { Inject, Injectable } from '@nestjs/common';
import type { Viewer } from '../auth/viewer.js';
import type { Config } from '../../config.js';
import { CONFIG } from '../../platform/config.module.js';
import { NotaryService } from '../../engine/notary.service.js';
import { receiptText } from '../../fairness/receipt.js';
import { Cursors } from '../../platform/cursors.js';
import { timeControlOf } from '../games/clocks.view.js';
import { GamesView } from '../games/games.view.js';
import { gather } from '../../platform/gather.js';
import { pageOf, type PageRequest } from '../../platform/page.js';
import { Time } from '../../platform/time.js';
import { RatingsService } from '../ratings/ratings.service.js';
import { UsersService } from '../users/users.service.js';
import { statusAt, type ChallengeRow } from './challenge.row.js';
import type { Challenge, ChallengeConnection, ClientSeedGiven, PoolRating } from './challenges.model.js';
import type { SeedGiven } from './client-seeds.service.js';
import { ChallengesStore, type Box } from './challenges.store.js';
import { shownRating } from './matching.store.js';
import { linkToken } from './links.js';
import { creatorSeedOf, hashOfSeed, versionOf } from './opening-rows.js';

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
    private readonly games: GamesView,
    private readonly notary: NotaryService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** One that exists, for a caller who knows that it may be seen; all that are asked for at once are read together. */
  async byId(id: string, viewer: Viewer | null): Promise<Challenge> {
    return this.challenge(await this.rows(id), viewer);
  }

  /** What came of a client seed. */
  async given({ challenge, game }: SeedGiven, viewer: Viewer): Promise<ClientSeedGiven> {
    return { challenge: await this.challenge(challenge, viewer), game: game && this.games.game(game) };
  }

  async challenge(row: ChallengeRow, viewer: Viewer | null): Promise<Challenge> {
    const [creator, opponent, creatorRating] = await Promise.all([
      this.users.one(row.creatorId),
      row.opponentId === null ? null : this.users.one(row.opponentId),
      this.ratingOf(row),
    ]);
    const isLink = row.kind === 'link' && row.opponentId === null && viewer?.userId === row.creatorId;
    const receipt = () => this.receipt(row);
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
      clientSeedHash: row.format === 1 ? row.creatorClientSeedHash : hashOfSeed(creatorSeedOf(row)),
      // Signed when it is read: of a list few are asked for.
      get receipt() {
        return receipt();
      },
      createdAt: row.createdAt,
      expiresAt: row.expiresAt,
      answeredAt: row.answeredAt,
      rematchOf: row.rematchOf,
      gameId: row.gameId,
      declineReason: row.declineReason,
      counterTo: row.counterTo,
    };
  }

  private receipt(row: ChallengeRow): string | null {
    const { headHash: hash } = row;
    if (hash === null || row.gameId === row.id) return null;
    return this.notary.receipt(
      receiptText({
        game: row.id,
        version: versionOf(row),
        commitment: row.commitment,
        creatorSeed: hashOfSeed(creatorSeedOf(row)),
        accepterSeed: null,
        dealRoot: null,
        hash,
        outcome: null,
      }),
    );
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
