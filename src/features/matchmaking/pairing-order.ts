/** Seeks with the same terms, ordered by id. */
export interface Pool {
  readonly termsKey: string;
  readonly seeks: readonly string[];
}

/** A seek to try next. */
export interface Turn {
  readonly termsKey: string;
  readonly seek: string;
}

/**
 * Goes through the seeks of all pools in round-robin order, so that a big pool does not delay the others. The next round
 * continues in each pool behind the last seek tried, and starts with the pools that have waited longest.
 */
export class PairingOrder {
  /** The last seek tried in each pool; the pool tried last is at the end. */
  private readonly lastTried = new Map<string, string>();

  /** The first seek of each pool, then the second of each, and so on. */
  order(pools: readonly Pool[]): readonly Turn[] {
    this.forgetOthers(pools);
    const ages = new Map([...this.lastTried.keys()].map((termsKey, age) => [termsKey, age]));
    const age = ({ termsKey }: Pool): number => ages.get(termsKey) ?? -1;
    return [...pools]
      .sort((a, b) => age(a) - age(b))
      .map((pool) => this.behindLastTried(pool))
      .flatMap(({ termsKey, seeks }) => seeks.map((seek, round) => ({ turn: { termsKey, seek }, round })))
      .sort((a, b) => a.round - b.round)
      .map(({ turn }) => turn);
  }

  /** Records that these were tried. */
  pass(turns: readonly Turn[]): void {
    for (const { termsKey, seek } of turns) {
      this.lastTried.delete(termsKey);
      this.lastTried.set(termsKey, seek);
    }
  }

  private behindLastTried({ termsKey, seeks }: Pool): Pool {
    const last = this.lastTried.get(termsKey) ?? '';
    const next = seeks.findIndex((seek) => seek > last);
    return next <= 0
      ? { termsKey, seeks }
      : { termsKey, seeks: [...seeks.slice(next), ...seeks.slice(0, next)] };
  }

  private forgetOthers(pools: readonly Pool[]): void {
    const known = new Set(pools.map(({ termsKey }) => termsKey));
    for (const termsKey of this.lastTried.keys()) if (!known.has(termsKey)) this.lastTried.delete(termsKey);
  }
}
