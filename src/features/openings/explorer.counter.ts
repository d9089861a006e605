import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { NIL } from 'uuid';
import type { Config } from '../../config.js';
import { Background } from '../../platform/process/background.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { rulesetById } from '../../rules/registry.js';
import { countsOf, visitsOf, type EndedGame, type PositionCount } from './explorer.js';
import { ExplorerStore } from './explorer.store.js';

/** Small enough that replaying the games does not delay requests. */
const COUNTED_AT_ONCE = 20;

/** Adds ended games to the counts of the explorer. Several instances may run at once. */
@Injectable()
export class ExplorerCounter implements OnApplicationShutdown {
  private readonly logger = new Logger('Explorer');
  private stopping = false;

  constructor(
    private readonly store: ExplorerStore,
    background: Background,
    @Inject(CONFIG) config: Config,
  ) {
    background.every('Explorer', config.sweepSeconds * 1000, () => this.count());
  }

  /** Counts all waiting games that no other instance has locked; calls `onBatch` with the size of each batch. */
  async count(onBatch: (games: number) => void = () => undefined): Promise<void> {
    let after: string = NIL;
    while (!this.stopping) {
      const ids = await this.store.take(after, COUNTED_AT_ONCE, (games) => this.countsOf(games));
      if (ids.length === 0) return;
      after = ids.at(-1)!;
      onBatch(ids.length);
    }
  }

  /** Deletes all counts and queues every game again. */
  async reset(): Promise<void> {
    await this.store.reset();
  }

  /** The number of games that wait to be counted. */
  waiting(): Promise<number> {
    return this.store.waiting();
  }

  onApplicationShutdown(): void {
    this.stopping = true;
  }

  private countsOf(games: readonly EndedGame[]): readonly PositionCount[] {
    return countsOf(games.map((game) => ({ visits: this.visitsOf(game), winner: game.winner })));
  }

  /** Nothing for games with face-down pieces, and for a game that cannot be replayed, which is logged. */
  private visitsOf(game: EndedGame): ReadonlyMap<string, string> {
    const ruleset = rulesetById(game.ruleset);
    try {
      return ruleset === undefined || ruleset.hidden ? new Map() : visitsOf(ruleset, game);
    } catch (error) {
      this.logger.error(error);
      return new Map();
    }
  }
}
