import { poolOfPlayer } from '../ratings/pools.js';
import { Inject, Injectable } from '@nestjs/common';
import { entitled, type Principal } from '../auth/principal.js';
import type { Config } from '../../config.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { SigningService } from '../../engine/signing.service.js';
import { receiptText } from '../../fairness/receipt.js';
import { Cursors } from '../../platform/contract/cursors.js';
import { timeControlOf } from '../games/clocks.view.js';
import type { ShownGame } from '../games/game.row.js';
import { GamesService } from '../games/games.service.js';
import { GamesView } from '../games/games.view.js';
import { batch } from '../../platform/gathering/batch.js';
import { pageOf, type PageRequest, DEFAULT_PAGE_SIZE } from '../../platform/contract/page.js';
import { Time } from '../../platform/process/time.js';
import { RatingsService } from '../ratings/ratings.service.js';
import { named } from '../rulesets/named.js';
import { UsersService } from '../users/users.service.js';
import { statusAt, type ChallengeRow } from './challenge.row.js';
import type { Challenge, ChallengeConnection, PoolRating } from './challenges.model.js';
import { ChallengesStore, type Box } from './challenges.store.js';
import { shownRating } from './matching.store.js';
import { linkToken, linkUrl } from './links.js';
import { creatorSeedOf, hashOfSeed, versionOf } from './opening-rows.js';

/** The GraphQL cost of reading the users of a challenge and their rating, in fields. */
export const USERS_AND_RATINGS = 3;

const NO_LINK = { linkToken: null, url: null };

/** Builds the responses about challenges, for both transports. */
@Injectable()
export class ChallengesView {
  private readonly rows = batch((ids: readonly string[]) => this.store.byIds(ids));

  constructor(
    private readonly store: ChallengesStore,
    private readonly users: UsersService,
    private readonly ratings: RatingsService,
    private readonly time: Time,
    private readonly cursors: Cursors,
    private readonly games: GamesService,
    private readonly gamesView: GamesView,
    private readonly signing: SigningService,
    private readonly address: OwnAddress,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** An existing challenge; the caller has checked that the viewer may see it. Concurrent calls are batched. */
  async byId(id: string, viewer: Principal | null): Promise<Challenge> {
    return this.challenge(await this.rows(id), viewer);
  }

  async payload(row: ChallengeRow, viewer: Principal): Promise<{ challenge: Challenge }> {
    return { challenge: await this.challenge(row, viewer) };
  }

  /** The payload of its creation: a link that its creator cannot pass on would be useless. */
  async created(row: ChallengeRow, viewer: Principal): Promise<{ challenge: Challenge }> {
    return { challenge: Object.assign(await this.challenge(row, viewer), this.linkOf(row)) };
  }

  /** A challenge and the game that it has become, for GraphQL. */
  async withGame(row: ChallengeRow, game: ShownGame | null, viewer: Principal) {
    return { challenge: await this.challenge(row, viewer), game: game && this.gamesView.game(game) };
  }

  /** A challenge and the game that it has become, for REST. */
  async withDocument(row: ChallengeRow, game: ShownGame | null, viewer: Principal) {
    const [challenge, document] = await Promise.all([
      this.challenge(row, viewer),
      game && this.gamesView.document(game, viewer),
    ]);
    return { challenge, game: document };
  }

  /** The game that a challenge has become; null if none. */
  gameOf({ gameId }: ChallengeRow): Promise<ShownGame> | null {
    return gameId === null ? null : this.games.one(gameId);
  }

  async challenge(row: ChallengeRow, viewer: Principal | null): Promise<Challenge> {
    const [creator, opponent, creatorRating] = await Promise.all([
      this.users.one(row.creatorId),
      row.opponentId === null ? null : this.users.one(row.opponentId),
      this.ratingOf(row),
    ]);
    // An act that needs another scope also answers with the challenge, which shows no more than a read.
    const isCreator = entitled(viewer, ['challenges:read'])?.userId === row.creatorId;
    const receipt = () => this.receipt(row);
    return {
      id: row.id,
      kind: row.kind,
      status: statusAt(row, this.time.now()),
      creator,
      creatorRating,
      opponent,
      ...(isCreator ? this.linkOf(row) : NO_LINK),
      ruleset: named(row.ruleset),
      options: row.options,
      timeControl: timeControlOf(row.timeControl),
      rated: row.rated,
      personsOnly: row.personsOnly,
      ratingRange: { min: row.minRating, max: row.maxRating },
      seat: row.side,
      commitment: row.commitment,
      clientSeedHash: hashOfSeed(creatorSeedOf(row)),
      // Sign only if the field is selected, which is rare in lists.
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

  private linkOf({ id, kind, opponentId }: ChallengeRow): Pick<Challenge, 'linkToken' | 'url'> {
    if (kind !== 'link' || opponentId !== null) return NO_LINK;
    const { tokenSecret } = this.config;
    return { linkToken: linkToken(tokenSecret, id), url: linkUrl(this.address, tokenSecret, id) };
  }

  private receipt(row: ChallengeRow): string | null {
    const { headHash: hash } = row;
    if (row.gameId === row.id) return null;
    return this.signing.receipt(
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

  /** The viewer's open challenges, newest first. */
  open(viewer: Principal, box: Box, page: PageRequest): Promise<ChallengeConnection> {
    return pageOf(page, {
      cursors: this.cursors.of<string>('challenges', viewer.userId, box),
      size: DEFAULT_PAGE_SIZE,
      read: ({ after = null, limit }) => this.store.open(viewer.userId, box, this.time.now(), after, limit),
      key: ({ id }) => id,
      node: (row) => this.challenge(row, viewer),
    });
  }

  /** Batched with concurrent calls, also for other pools. */
  private async ratingOf({ creatorId, ruleset }: ChallengeRow): Promise<PoolRating> {
    const pool = poolOfPlayer(ruleset, await this.users.one(creatorId));
    const { rating, provisional } = await this.ratings.ofUserIn(creatorId, pool);
    return { rating: shownRating(rating), provisional };
  }
}
