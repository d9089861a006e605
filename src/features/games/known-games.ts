import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CONFIG } from '../../platform/process/config.module.js';
import { cacheBytes } from '../../platform/process/cache-sizes.js';
import type { Config } from '../../config.js';
import type { GameRow } from './game.row.js';
import { bytesOfRow } from './hot-games.js';

/** A game and what tells whether its row has changed. */
export interface Stamped {
  readonly id: string;
  /** Differs between any two states of the row that a reader could have seen. */
  readonly stamp: string;
}

interface KnownGame extends Stamped {
  readonly row: GameRow;
}

/**
 * The rows that this process read last. A row may be used only by a request that has since read the same stamp from the
 * database, so that every answer shows what is stored. As long as the stamp stays the same, so does the object.
 */
@Injectable()
export class KnownGames {
  private readonly games: LRUCache<string, KnownGame>;

  constructor(@Inject(CONFIG) config: Pick<Config, 'cacheMb'>) {
    this.games = new LRUCache({
      maxSize: cacheBytes(config, 'knownGames'),
      sizeCalculation: ({ row }) => bytesOfRow(row),
    });
  }

  get(id: string): KnownGame | null {
    return this.games.get(id) ?? null;
  }

  set(row: GameRow, stamp: string): GameRow {
    this.games.set(row.id, { id: row.id, stamp, row });
    return row;
  }

  clear(): void {
    this.games.clear();
  }
}
