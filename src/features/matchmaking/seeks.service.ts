import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import { BlocksService } from '../blocks/blocks.service.js';
import type { Config } from '../../config.js';
import { GamesService } from '../games/games.service.js';
import { NotificationsService } from '../notifications/notifications.service.js';
import { Announcer } from '../../platform/announcer.js';
import { Background } from '../../platform/background.js';
import { CONFIG } from '../../platform/config.module.js';
import type { ErrorCode } from '../../platform/error-codes.js';
import { DomainError } from '../../platform/errors.js';
import { keyedAct } from '../../platform/idempotency.js';
import { retry, type RetryPolicy } from '../../platform/retry.js';
import { Time } from '../../platform/time.js';
import type { ChallengeRow } from './challenge.row.js';
import { ChallengesStore } from './challenges.store.js';
import { Invitations } from './invitations.js';
import { pairing } from './notices.js';
import { GameStart } from './game-start.js';
import { OpenLimits } from './open-limits.js';
import { creatorSeedOf } from './opening-rows.js';
import { SeeksStore, type Search } from './seeks.store.js';
import type { GivenTerms } from './terms.js';
import { PairingOrder } from './pairing-order.js';

const WALKED_AT_ONCE = 50;
const PARTNERS: RetryPolicy<true> = { tries: 20, otherwise: () => true };
const OUT_OF_REACH: readonly ErrorCode[] = ['LIMIT_REACHED', 'ACCOUNT_CLOSED', 'BLOCKED'];

export interface SeekRequest extends GivenTerms {
  readonly idempotencyKey?: string | null | undefined;
}

/** Brings those together who look for the same. */
@Injectable()
export class SeeksService {
  private readonly order = new PairingOrder();
  private readonly logger = new Logger('Pairing');

  constructor(
    private readonly store: SeeksStore,
    private readonly challenges: ChallengesStore,
    private readonly invitations: Invitations,
    private readonly openings: GameStart,
    private readonly games: GamesService,
    private readonly limits: OpenLimits,
    private readonly blocks: BlocksService,
    private readonly notifications: NotificationsService,
    private readonly announcer: Announcer,
    private readonly time: Time,
    background: Background,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    const pause = config.sweepSeconds * 1000;
    background.every('PairingSweep', pause, () => this.sweep(pause / 2));
  }

  /**
   * Lists a seek, and pairs it at once with the oldest one that fits; where that fails it is listed all the same, for
   * the sweep. Throws LIMIT_REACHED, ACCOUNT_CLOSED, and what the terms may have wrong.
   */
  create(viewer: Principal, { idempotencyKey, ...request }: SeekRequest): Promise<ChallengeRow> {
    const act = keyedAct(viewer.userId, idempotencyKey, 'createSeek', request);
    return this.invitations.once(act, async () => {
      const seek = { kind: 'seek', creatorId: viewer.userId, opponentId: null } as const;
      const terms = this.invitations.terms(seek, request);
      const sent = await this.invitations.sendOnce(act, terms, (tx) => this.limits.demandForSeek(tx, terms));
      if (sent === null) return null;
      await this.match(sent.id);
      return this.challenges.find(sent.id);
    });
  }

  /**
   * Pairs what has stayed open and fits: two seeks that were made at one moment, or whose makers fit each other only
   * since then. It walks the open seeks, those of all terms in turn, and looks for an older partner of each; the next
   * round goes on where its time is over. One that fails is logged and passed by.
   */
  async sweep(milliseconds = Infinity): Promise<void> {
    const turns = this.order.order(await this.store.pools(this.search()));
    // Behind the look at all pools: however long that takes, some are walked.
    const end = performance.now() + milliseconds;
    const faulty = new Set<string>();
    for (let i = 0; i < turns.length && performance.now() < end; i += WALKED_AT_ONCE) {
      const some = turns.slice(i, i + WALKED_AT_ONCE);
      // Before the work: what fails has had its turn, too.
      this.order.pass(some);
      const ids = some.map(({ seek }) => seek);
      for (const id of await this.store.withOlderPartner(ids, this.search())) await this.match(id, faulty);
    }
  }

  /** Pairs an open seek with the oldest that fits and can be had; what is left, or fails, is for the sweep. */
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

  /** False when they do not fit any more, or somebody was faster; or of a fault, which is the game's: adds its seek. */
  private async pair(one: string, other: string, faulty: Set<string>): Promise<boolean> {
    // Its deal was settled before anything could be known of the other one.
    const earlier = await this.store.earlier(one, other);
    const rows = await this.challenges.byIds([earlier, earlier === one ? other : one]);
    const [game, joining] = rows as [ChallengeRow, ChallengeRow];
    const { id: seek, creatorId: userId, side } = joining;
    try {
      const seed = creatorSeedOf(joining);
      const { row: drafted, happened } = await this.openings.draft(game, { userId, seed, side, seek });
      const begun = await this.store.pair(game, joining, this.search(), async (tx) => {
        await this.blocks.holdWelcome(tx, userId, game.creatorId);
        const row = await this.games.insert(tx, drafted, happened);
        await this.notifications.add(tx, [pairing(row, userId)]);
        return row;
      });
      if (begun !== null) this.announcer.seeks([one, other]);
      return begun !== null;
    } catch (error) {
      // One of them has begun as many games as one may have, closed his account or blocked the other, meanwhile.
      if (error instanceof DomainError && OUT_OF_REACH.includes(error.code)) return false;
      this.logger.error(error);
      faulty.add(game.id);
      return false;
    }
  }

  private search(): Search {
    return { now: this.time.now(), mostGames: this.config.maxRunningGames };
  }
}
