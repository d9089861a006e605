import { Injectable } from '@nestjs/common';
import { Sessions, type StoredSession } from '../auth/sessions.js';
import type { Principal } from '../auth/principal.js';
import { BlocksService, type BlockKey } from '../blocks/blocks.service.js';
import type { Vacation } from '../vacations/vacations.model.js';
import { VacationsView } from '../vacations/vacations.view.js';
import { ImportsView } from '../imports/imports.view.js';
import type { ChallengeRow } from '../matchmaking/challenge.row.js';
import { ChallengesService } from '../matchmaking/challenges.service.js';
import { ChallengesView } from '../matchmaking/challenges.view.js';
import { NewsService } from '../news/news.service.js';
import { NotificationsService } from '../notifications/notifications.service.js';
import { EmailsService } from '../recovery/emails.service.js';
import { RatingsView } from '../ratings/ratings.view.js';
import type { AnyPlayer } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import { lineOf, onwards, pagesOf, shownAs, type LineKind } from './own-data.lines.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';

const DEFAULT_PAGE_SIZE = 100;
/** The number of imported games in memory at a time: one may have thousands of plies. */
const IMPORTS_AT_ONCE = 10;
const BOXES = ['outgoing', 'incoming'] as const;

type Pages = AsyncIterable<readonly object[]>;

/** The data of a user apart from games. */
@Injectable()
export class OwnSections {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: Sessions,
    private readonly emails: EmailsService,
    private readonly ratings: RatingsView,
    private readonly blocks: BlocksService,
    private readonly vacations: VacationsView,
    private readonly challenges: ChallengesService,
    private readonly challengesView: ChallengesView,
    private readonly notifications: NotificationsService,
    private readonly news: NewsService,
    private readonly webhooks: WebhooksService,
    private readonly importsView: ImportsView,
  ) {}

  /** One line per item, page by page. */
  async *lines(viewer: Principal, user: AnyPlayer): AsyncGenerator<string> {
    const lists: readonly (readonly [LineKind, Pages])[] = [
      ['profile', this.profile(user, viewer)],
      ['newsSettings', this.newsSettingsOf(viewer)],
      ['webhook', this.webhooksOf(viewer)],
      ['session', this.sessionsOf(viewer)],
      ['rating', this.ratingsOf(user)],
      ['ratingPoint', this.pointsOf(user)],
      ['block', this.blocksOf(viewer)],
      ['vacation', this.vacationsOf(viewer)],
      ['challenge', this.challengesOf(viewer)],
      ['notification', this.notificationsOf(viewer)],
      ['import', this.importsOf(viewer)],
    ];
    for (const [kind, pages] of lists) {
      for await (const page of pages) {
        for (const one of page) yield lineOf(kind, one);
      }
    }
  }

  private async *profile(user: AnyPlayer, viewer: Principal): Pages {
    yield [{ ...user, ...(await this.emails.of(viewer)) }];
  }

  private async *newsSettingsOf(viewer: Principal): Pages {
    yield [await this.news.settings(viewer)];
  }

  private async *webhooksOf(viewer: Principal): Pages {
    yield await this.webhooks.listed(viewer);
  }

  private sessionsOf({ userId, sessionId }: Principal): Pages {
    const sessions = pagesOf(DEFAULT_PAGE_SIZE, (last: StoredSession | null, limit) =>
      this.sessions.ofUser(userId, last?.id ?? null, limit),
    );
    return shownAs(
      sessions,
      ({ id, kind, name, device, createdAt, lastUsedAt, expiresAt, revokedAt: endedAt }) => ({
        kind,
        name,
        device,
        createdAt,
        lastUsedAt,
        expiresAt,
        endedAt,
        current: id === sessionId,
      }),
    );
  }

  private async *ratingsOf(user: AnyPlayer): Pages {
    yield await this.ratings.ofUser(user);
  }

  private async *pointsOf(user: AnyPlayer): Pages {
    for (const { pool } of await this.ratings.ofUser(user)) {
      const points = onwards((after) =>
        this.ratings.historyOf(user, pool.id, { first: DEFAULT_PAGE_SIZE, after }),
      );
      yield* shownAs(points, (point) => ({ pool, ...point }));
    }
  }

  private blocksOf(viewer: Principal): Pages {
    const blocks = pagesOf(DEFAULT_PAGE_SIZE, (last: BlockKey | null, limit) =>
      this.blocks.made(viewer, last, limit),
    );
    return shownAs(blocks, async ({ createdAt, blockedId }) => ({
      createdAt,
      user: await this.users.one(blockedId),
    }));
  }

  private vacationsOf(viewer: Principal): Pages {
    return pagesOf(DEFAULT_PAGE_SIZE, (last: Vacation | null, limit) =>
      this.vacations.ever(viewer, last, limit),
    );
  }

  private async *challengesOf(viewer: Principal): Pages {
    for (const box of BOXES) {
      const challenges = pagesOf(DEFAULT_PAGE_SIZE, (last: ChallengeRow | null, limit) =>
        this.challenges.ofAnyStatus(viewer, box, last, limit),
      );
      yield* shownAs(challenges, (row) => this.challenge(row, viewer));
    }
  }

  /** The challenge as shown, with the viewer's own client seed. */
  private async challenge(row: ChallengeRow, viewer: Principal): Promise<object> {
    const shown = await this.challengesView.challenge(row, viewer);
    return row.creatorId === viewer.userId ? { ...shown, clientSeed: row.creatorClientSeed } : shown;
  }

  private notificationsOf(viewer: Principal): Pages {
    return onwards((after) => this.notifications.page(viewer, false, { first: DEFAULT_PAGE_SIZE, after }));
  }

  private importsOf(viewer: Principal): Pages {
    const games = onwards((after) => this.importsView.mine(viewer, { first: IMPORTS_AT_ONCE, after }));
    return shownAs(games, async ({ row }) => {
      const [game, plies] = await Promise.all([this.importsView.document(row), this.importsView.played(row)]);
      return { ...game, plies };
    });
  }
}
