import { LRUCache } from 'lru-cache';
import type { GameRow, ShownGame } from './game.row.js';
import type { KnownGames } from './known-games.js';

interface Kept<Value> {
  readonly row: GameRow;
  readonly values: Map<string, Value>;
  bytes: number;
}

/**
 * What follows from the stored row of a game and from logs that only grow, kept while the row is remembered unchanged.
 * Nothing that depends on the time belongs here, and what differs by seat needs a name for each.
 */
export class KeptOfGames<Value> {
  private readonly games: LRUCache<string, Kept<Value>>;

  constructor(
    private readonly known: KnownGames,
    mostBytes: number,
    private readonly bytesOf: (value: Value) => number,
  ) {
    this.games = new LRUCache({ maxSize: mostBytes, sizeCalculation: ({ bytes }) => bytes });
  }

  /** The kept value with this name, or else the one that is made now; `isLasting` tells whether to keep that. */
  async get(
    row: ShownGame,
    name: string,
    make: () => Promise<Value> | Value,
    isLasting: (value: Value) => boolean = () => true,
  ): Promise<Value> {
    const kept = this.games.get(row.id);
    const found = kept?.row === row ? kept.values.get(name) : undefined;
    if (found !== undefined) return found;
    const value = await make();
    // Only a row that was just read as it is; not one that an act or the clock has made.
    if (this.known.get(row.id)?.row === row && isLasting(value)) this.keep(row, name, value);
    return value;
  }

  private keep(row: GameRow, name: string, value: Value): void {
    const old = this.games.get(row.id);
    const kept = old?.row === row ? old : { row, values: new Map<string, Value>(), bytes: BYTES_OF_A_GAME };
    kept.values.set(name, value);
    kept.bytes += this.bytesOf(value) + BYTES_OF_A_VALUE;
    this.games.delete(row.id);
    this.games.set(row.id, kept);
  }
}

/** What is kept besides the values themselves: the row, and names. */
const BYTES_OF_A_GAME = 3_000;
const BYTES_OF_A_VALUE = 200;
