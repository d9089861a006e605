import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Viewer } from '../auth/viewer.js';
import type { Config } from '../config.js';
import { GamesService } from '../games/games.service.js';
import { NotificationsService } from '../notifications/notifications.service.js';
import { Announcer } from '../platform/announcer.js';
import { CONFIG } from '../platform/config.module.js';
import { DomainError } from '../platform/errors.js';
import { Every } from '../platform/every.js';
import { Idempotency, keyedAct } from '../platform/idempotency.js';
import { Time } from '../platform/time.js';
import type { ChallengeRow } from './challenge.row.js';
import { ChallengesStore } from './challenges.store.js';
import { Invitations } from './invitations.js';
import { pairing } from './notices.js';
import { Openings } from './openings.js';
import { SeeksStore, type Search, type SeekKey } from './seeks.store.js';
import type { GivenTerms } from './terms.js';

const WALKED_AT_ONCE = 200;
const MOST_TRIED = 20;

export interface SeekRequest extends GivenTerms {
  readonly idempotencyKey?: string | null | undefined;
}

/** Brings those together who look for the same. */
@Injectable()
export class SeeksService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly every: Every;
  /** Where the walk of the sweep goes on; null: at the oldest seek. */
  private position: SeekKey | null = null;

  constructor(
    private readonly store: SeeksStore,
    private readonly challenges: ChallengesStore,
    private readonly invitations: Invitations,
    private readonly openings: Openings,
    private readonly games: GamesService,
    private readonly notifications: NotificationsService,
    private readonly idempotency: Idempotency,
    private readonly announcer: Announcer,
    private readonly time: Time,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    const pause = config.sweepSeconds * 1000;
    this.every = new Every('PairingSweep', pause, async () => {
      this.position = await this.sweep(this.position, pause / 2);
    });
  }

  onApplicationBootstrap(): void {
    this.every.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.every.stop();
  }

  /**
   * Lists a seek, and pairs it at once with the oldest one that fits. Throws LIMIT_REACHED, and what the terms may
   * have wrong.
   */
  async create(viewer: Viewer, { idempotencyKey, ...request }: SeekRequest): Promise<ChallengeRow> {
    const act = keyedAct(viewer.userId, idempotencyKey, 'createSeek', request);
    const made = act && (await this.idempotency.made(act));
    if (made) return (await this.challenges.find(made))!;
    const seek = { kind: 'seek', creatorId: viewer.userId, opponentId: null } as const;
    const terms = this.invitations.terms(seek, request);
    const sent = await this.invitations.send(terms, async (tx) => {
      if (act !== null && !(await this.idempotency.claim(tx, act, terms.id, terms.createdAt))) return false;
      const open = await this.store.holdOpen(tx, viewer.userId, terms.createdAt);
      if (open < this.config.maxOpenSeeks) return true;
      const message = `You have ${open} open seeks already, as many as one may have: cancel one of them.`;
      throw new DomainError('LIMIT_REACHED', message);
    });
    if (sent !== null) await this.match(sent.id);
    // Null: the same request, sent twice at once, has made it meanwhile.
    return (await this.challenges.find(sent?.id ?? (await this.idempotency.made(act!))!))!;
  }

  /**
   * Pairs what has stayed open and fits: two seeks that were made at one moment, or whose makers fit each other only
   * since then. It walks the open seeks from the oldest on and looks for an older partner of each. Where its time is
   * over it answers where the next round goes on, so that a round is bounded and no seek is passed by; else null.
   */
  async sweep(from: SeekKey | null = null, milliseconds = Infinity): Promise<SeekKey | null> {
    const end = performance.now() + milliseconds;
    let at = from;
    do {
      const { paired, next } = await this.store.walk(at, WALKED_AT_ONCE, this.search());
      for (const id of paired) await this.match(id);
      at = next;
    } while (at !== null && performance.now() < end);
    return at;
  }

  /** Pairs an open seek with the oldest that fits and can be had; what is left is for the sweep. */
  private async match(id: string): Promise<void> {
    const tried: string[] = [];
    while (tried.length < MOST_TRIED) {
      const partner = await this.store.oldestPartner(id, this.search(), tried);
      if (partner === null || (await this.pair(id, partner))) return;
      tried.push(partner);
    }
  }

  /** False when they do not fit any more, or somebody was faster. */
  private async pair(one: string, other: string): Promise<boolean> {
    const rows = await this.challenges.byIds([one, other]);
    const [older, younger] = [...rows].sort(byAge) as [ChallengeRow, ChallengeRow];
    // Whoever joins gives his seed now: if the younger one has only announced it, the game is his.
    const [game, joining] = younger.creatorClientSeed === null ? [younger, older] : [older, younger];
    const { creatorId: userId, creatorClientSeed: clientSeed, side } = joining;
    if (clientSeed === null) return false;
    const drafted = await this.openings.draft(game, { userId, clientSeed, side });
    try {
      const begun = await this.store.pair(game, joining, this.search(), async (tx) => {
        const row = await this.games.insert(tx, drafted);
        await this.notifications.add(tx, [pairing(row, userId)]);
        return row;
      });
      if (begun !== null) this.announcer.seeks([one, other]);
      return begun !== null;
    } catch (error) {
      // One of them has begun as many games as one may have, meanwhile.
      if (error instanceof DomainError && error.code === 'LIMIT_REACHED') return false;
      throw error;
    }
  }

  private search(): Search {
    return { now: this.time.now(), mostGames: this.config.maxRunningGames };
  }
}

const byAge = (a: ChallengeRow, b: ChallengeRow): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);
