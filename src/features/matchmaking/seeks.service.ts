import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Quotas } from '../../platform/limits/quotas.js';
import type { Principal } from '../auth/principal.js';
import { BlocksService } from '../blocks/blocks.service.js';
import type { Config } from '../../config.js';
import { GameOpener } from '../games/game-opener.js';
import { NotificationsService } from '../notifications/notifications.service.js';
import { PubSub } from '../../platform/events/pubsub.js';
import { Background } from '../../platform/process/background.js';
import { CONFIG } from '../../platform/process/config.module.js';
import type { ErrorCode } from '../../platform/errors/error-codes.js';
import { DomainError } from '../../platform/errors/errors.js';
import { keyedAct } from '../../platform/idempotency/idempotency.js';
import { retry, type RetryPolicy } from '../../platform/process/retry.js';
import { Time } from '../../platform/process/time.js';
import type { ChallengeRow } from './challenge.row.js';
import { ChallengesStore } from './challenges.store.js';
import { Invitations } from './invitations.js';
import { assertCasual, assertUnmanaged } from './guests.js';
import { pairing } from './notices.js';
import { GameStart } from './game-start.js';
import { OpenLimits } from './open-limits.js';
import { creatorSeedOf } from './opening-rows.js';
import { SeeksStore, type Search } from './seeks.store.js';
import type { GivenTerms } from './terms.js';
import { PairingOrder } from './pairing-order.js';

const SWEPT_AT_ONCE = 50;
const PARTNERS: RetryPolicy<true> = { tries: 20, otherwise: () => true };
/** Errors by which a pair no longer fits. */
const NO_LONGER_FITS: readonly ErrorCode[] = ['LIMIT_REACHED', 'ACCOUNT_CLOSED', 'BLOCKED'];

export interface SeekRequest extends GivenTerms {
  readonly idempotencyKey?: string | null | undefined;
}

/** Creates seeks and pairs those that fit each other. */
@Injectable()
export class SeeksService {
  private readonly order = new PairingOrder();
  private readonly logger = new Logger('Pairing');

  constructor(
    private readonly store: SeeksStore,
    private readonly challenges: ChallengesStore,
    private readonly invitations: Invitations,
    private readonly openings: GameStart,
    private readonly opener: GameOpener,
    private readonly limits: OpenLimits,
    private readonly blocks: BlocksService,
    private readonly notifications: NotificationsService,
    private readonly pubsub: PubSub,
    private readonly time: Time,
    background: Background,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    const pause = config.sweepSeconds * 1000;
    background.every('PairingSweep', pause, () => this.sweep(pause / 2));
  }

  /**
   * Lists a seek and pairs it at once with the oldest one that fits; if the pairing fails, the sweep tries again. Throws
   * LIMIT_REACHED, ACCOUNT_CLOSED and the errors of terms().
   */
  create(
    viewer: Principal,
    { idempotencyKey, ...request }: SeekRequest,
    quotas: Quotas,
  ): Promise<ChallengeRow> {
    const act = keyedAct(viewer.userId, idempotencyKey, 'createSeek', request);
    assertCasual(viewer, request);
    assertUnmanaged(viewer, 'seek opponents in the lobby');
    return this.invitations.once(act, async () => {
      const seek = { kind: 'seek', creatorId: viewer.userId, opponentId: null } as const;
      const terms = this.invitations.terms(seek, request);
      const sent = await this.invitations.sendOnce(act, terms, quotas, (tx) =>
        this.limits.demandForSeek(tx, terms),
      );
      if (sent === null) return null;
      await this.match(sent.id);
      return this.challenges.find(sent.id);
    });
  }

  /**
   * Pairs seeks that stayed open although they fit: those created at the same time, or whose creators fit only since
   * then. Looks for an older partner of each open seek, the pools in turn; a sweep that runs out of time is continued by
   * the next. Logs and skips a seek that fails.
   */
  async sweep(milliseconds = Infinity): Promise<void> {
    const turns = this.order.order(await this.store.pools(this.search()));
    // Start the time after reading the pools, so that each sweep makes some progress.
    const end = performance.now() + milliseconds;
    const faulty = new Set<string>();
    for (let i = 0; i < turns.length && performance.now() < end; i += SWEPT_AT_ONCE) {
      const some = turns.slice(i, i + SWEPT_AT_ONCE);
      // Before the work, so that a failing seek does not block the next sweep.
      this.order.pass(some);
      const ids = some.map(({ seek }) => seek);
      for (const id of await this.store.withOlderPartner(ids, this.search())) await this.match(id, faulty);
    }
  }

  /** Pairs an open seek with the oldest available one that fits; failures are left to the sweep. */
  private async match(id: string, faulty = new Set<string>()): Promise<void> {
    const tried: string[] = [];
    try {
      await retry(async () => {
        if (faulty.has(id)) return true;
        const partner = await this.store.oldestPartner(id, this.search(), [...faulty, ...tried]);
        if (partner === null || (await this.pair(id, partner, faulty))) return true;
        tried.push(partner);
        return null;
      }, PARTNERS);
    } catch (error) {
      this.logger.error(error);
    }
  }

  /** Returns false if they no longer fit or another pairing came first, and on a fault, which is added to `faulty`. */
  private async pair(one: string, other: string, faulty: Set<string>): Promise<boolean> {
    // The seek earlier in the log becomes the game: its deal was committed before anything was known of the other.
    const earlier = await this.store.earlier(one, other);
    const rows = await this.challenges.byIds([earlier, earlier === one ? other : one]);
    const [game, joining] = rows as [ChallengeRow, ChallengeRow];
    const { id: seek, creatorId: userId, side } = joining;
    try {
      const seed = creatorSeedOf(joining);
      const { row: drafted, happened } = await this.openings.draft(game, { userId, seed, side, seek });
      const begun = await this.store.pair(
        game,
        joining,
        () => this.search(),
        async (tx) => {
          await this.blocks.lockUnblocked(tx, userId, game.creatorId);
          const row = await this.opener.insert(tx, drafted, happened);
          await this.notifications.add(tx, [pairing(row, userId)]);
          return row;
        },
      );
      if (begun !== null) [one, other].forEach((id) => this.pubsub.publishSeek(id, false));
      return begun !== null;
    } catch (error) {
      if (error instanceof DomainError && NO_LONGER_FITS.includes(error.code)) return false;
      this.logger.error(error);
      faulty.add(game.id);
      return false;
    }
  }

  private search(): Search {
    const { maxRunningGames: mostGames, maxRunningGamesOfGuests: mostOfGuests } = this.config;
    return { now: this.time.now(), mostGames, mostOfGuests };
  }
}
