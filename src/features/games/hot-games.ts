import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CONFIG } from '../../platform/process/config.module.js';
import { cacheBytes } from '../../platform/process/cache-sizes.js';
import type { Config } from '../../config.js';
import { isOver } from '../../arbiter/state.js';
import type { GameRow } from './game.row.js';

/** What a row takes in memory besides its texts of variable length. */
const BYTES_OF_A_ROW = 3_000;

/**
 * The rows that this process stored last, to judge the next act on without reading. Another process may have stored a
 * newer one since: only a commit may rest on such a row, because its guard fails on an old one.
 */
@Injectable()
export class HotGames {
  private readonly rows: LRUCache<string, GameRow>;

  constructor(@Inject(CONFIG) config: Pick<Config, 'cacheMb'>) {
    this.rows = new LRUCache({ maxSize: cacheBytes(config, 'hotGames'), sizeCalculation: bytesOfRow });
  }

  get(id: string): GameRow | null {
    return this.rows.get(id) ?? null;
  }

  /** Remembers a row as it was stored; one that is over takes no more acts. */
  set(row: GameRow): void {
    if (isOver(row)) this.forget(row.id);
    else this.rows.set(row.id, row);
  }

  /** Remembers a newer row of a game that is remembered already. */
  replace(row: GameRow): void {
    if (this.rows.has(row.id)) this.set(row);
  }

  forget(id: string): void {
    this.rows.delete(id);
  }
}

/** About what a row takes in memory. */
export function bytesOfRow({ moves, takebacks, firstPlan, secondPlan }: GameRow): number {
  // Plans are trees of small objects, which take several times as much as their texts.
  const plans = [firstPlan, secondPlan].filter((plan) => plan !== null);
  return BYTES_OF_A_ROW + moves.length + 100 * takebacks.length + 8 * JSON.stringify(plans).length;
}
