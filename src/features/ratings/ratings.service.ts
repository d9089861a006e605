import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { EngineService } from '../../engine/engine.service.js';
import { Background } from '../../platform/process/background.js';
import { CONFIG } from '../../platform/process/config.module.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { batch } from '../../platform/gathering/batch.js';
import { Time } from '../../platform/process/time.js';
import type { ChangeRow, RatedEnd, Standing } from './rating.row.js';
import { standingOf, startingIn } from './rating.row.js';
import { RatingsStore } from './ratings.store.js';
import { keysOf, resultsOf } from './results.js';

const UNLISTED_AT_ONCE = 1000;

/** Reads and changes ratings. A pool is a rule set with any of its options. */
@Injectable()
export class RatingsService {
  /** A user's ratings in all pools with a rated game, in the order of the catalogue. */
  readonly ofUser = batch((ids: readonly string[]) => this.poolsOf(ids));
  /** The changes of the players' ratings by a game; null if it was not rated. */
  readonly changesOf = batch((gameIds: readonly string[]) => this.changesIn(gameIds));

  constructor(
    private readonly store: RatingsStore,
    private readonly engine: EngineService,
    private readonly time: Time,
    background: Background,
    @Inject(CONFIG) config: Config,
  ) {
    background.every('LeaderboardSweep', config.expirySweepSeconds * 1000, () => this.unlist());
  }

  /**
   * Rates games in the transaction that ends them, which has locked them, against the ratings at that time. Earlier ends
   * are rated first.
   */
  async apply(tx: Transaction, ends: readonly RatedEnd[]): Promise<void> {
    const rows = await this.store.lock(tx, keysOf(ends));
    await this.store.save(tx, resultsOf(rows, ends));
  }

  /** The current ratings of users in a pool, by user id; the starting rating for users without a rated game. */
  async of(
    userIds: readonly string[],
    ruleset: string,
    tx?: Transaction,
  ): Promise<ReadonlyMap<string, Standing>> {
    const now = this.time.now();
    const rows = await this.store.of(userIds, ruleset, tx);
    const known = new Map(rows.map((row) => [row.userId, standingOf(row, now)]));
    return new Map(userIds.map((id) => [id, known.get(id) ?? startingIn(ruleset, id)]));
  }

  /** A user's rating in one pool. */
  async ofUserIn(userId: string, ruleset: string): Promise<Standing> {
    const all = await this.ofUser(userId);
    return all.find((standing) => standing.ruleset === ruleset) ?? startingIn(ruleset, userId);
  }

  /** Removes players whose time on the leaderboards is over: they are hidden already, but still scanned. */
  async unlist(): Promise<void> {
    const now = this.time.now();
    while ((await this.store.unlist(now, UNLISTED_AT_ONCE)) === UNLISTED_AT_ONCE);
  }

  private async poolsOf(ids: readonly string[]): Promise<(readonly Standing[])[]> {
    const now = this.time.now();
    const rows = await this.store.inAllPools([...new Set(ids)]);
    const order = this.engine.catalogue().map(({ id }) => id);
    const standings = rows
      .map((row) => standingOf(row, now))
      .sort((a, b) => order.indexOf(a.ruleset) - order.indexOf(b.ruleset));
    return ids.map((id) => standings.filter(({ userId }) => userId === id));
  }

  private async changesIn(ids: readonly string[]): Promise<(readonly ChangeRow[] | null)[]> {
    const changes = await this.store.changesOf([...new Set(ids)]);
    const found = ids.map((id) => changes.filter(({ gameId }) => gameId === id));
    return found.map((rows) => (rows.length === 0 ? null : rows));
  }
}
