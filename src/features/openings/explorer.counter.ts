import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { NIL } from 'uuid';
import type { Config } from '../../config.js';
import { Background } from '../../platform/background.js';
import { CONFIG } from '../../platform/config.module.js';
import { rulesetById } from '../../rules/registry.js';
import { countsOf, visitsOf, type EndedGame, type PositionCount } from './explorer.js';
import { ExplorerStore } from './explorer.store.js';

/** Few enough that the rules are done with them before anybody notices. */
const COUNTED_AT_ONCE = 20;

/** Counts for the explorer what was played in the games that have ended. Several instances may count. */
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

  /** Counts all games that wait, but for those that others have in hand; `told` hears after each batch how many. */
  async count(told: (games: number) => void = () => undefined): Promise<void> {
    let after: string = NIL;
    while (!this.stopping) {
      const ids = await this.store.take(after, COUNTED_AT_ONCE, (games) => this.countsOf(games));
      if (ids.length === 0) return;
      after = ids.at(-1)!;
      told(ids.length);
    }
  }

  /** Forgets what is counted, so that every game waits to be counted anew. */
  async reset(): Promise<void> {
    await this.store.reset();
  }

  /** How many games wait to be counted. */
  waiting(): Promise<number> {
    return this.store.waiting();
  }

  onApplicationShutdown(): void {
    this.stopping = true;
  }

  private countsOf(games: readonly EndedGame[]): readonly PositionCount[] {
    return countsOf(games.map((game) => ({ visits: this.visitsOf(game), winner: game.winner })));
  }

  /** None of a game in which something lay face-down, nor of one that cannot be played again: that is logged. */
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
