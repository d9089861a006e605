import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { EngineService } from '../../engine/engine.service.js';
import { Background } from '../../platform/background.js';
import { CONFIG } from '../../platform/config.module.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { gather } from '../../platform/gather.js';
import { Time } from '../../platform/time.js';
import type { ChangeRow, RatedEnd, Standing } from './rating.row.js';
import { standingOf, startingIn } from './rating.row.js';
import { RatingsStore } from './ratings.store.js';
import { keysOf, resultsOf } from './results.js';

const UNLISTED_AT_ONCE = 1000;

/** How strong people are in which pool. A pool is a rule set with any of its options. */
@Injectable()
export class RatingsService {
  /** Where a user stands in all pools in which he has a rated game, in the order of the catalogue. */
  readonly ofUser = gather((ids: readonly string[]) => this.poolsOf(ids));
  /** What a rated game did to its players; null when it has not been rated. */
  readonly changesOf = gather((gameIds: readonly string[]) => this.changesIn(gameIds));

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
   * Rates games in the transaction that ends them, against the ratings as they then are. The games are held by that
   * transaction already; of several ends the earlier is rated first.
   */
  async apply(tx: Transaction, ends: readonly RatedEnd[]): Promise<void> {
    const rows = await this.store.lock(tx, keysOf(ends));
    await this.store.save(tx, resultsOf(rows, ends));
  }

  /** Where each of these users stands in a pool now, by user id; whoever has no rated game there is at the start. */
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

  /** Where a user stands in one pool. */
  async ofUserIn(userId: string, ruleset: string): Promise<Standing> {
    const all = await this.ofUser(userId);
    return all.find((standing) => standing.ruleset === ruleset) ?? startingIn(ruleset, userId);
  }

  /** Takes off the leaderboards whose time there is over: they are not shown there any more, but still looked at. */
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
