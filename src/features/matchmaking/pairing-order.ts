/** Seeks on the same terms, in the order of their ids. */
export interface Pool {
  readonly termsKey: string;
  readonly seeks: readonly string[];
}

/** A seek whose turn it is. */
export interface Turn {
  readonly termsKey: string;
  readonly seek: string;
}

/**
 * A walk over the seeks of all pools in turn, so that a big pool holds up no other. A walk that is broken off goes on
 * where it stopped, in each pool, and with the pools that have waited longest.
 */
export class PairingOrder {
  /** The seek of each pool that was walked last; the pool that was walked last is last. */
  private readonly walked = new Map<string, string>();

  /** One seek of each pool, then the next of each, and so on. */
  order(pools: readonly Pool[]): readonly Turn[] {
    this.forgetOthers(pools);
    const ages = new Map([...this.walked.keys()].map((termsKey, age) => [termsKey, age]));
    const age = ({ termsKey }: Pool): number => ages.get(termsKey) ?? -1;
    return [...pools]
      .sort((a, b) => age(a) - age(b))
      .map((pool) => this.fromWhereItStopped(pool))
      .flatMap(({ termsKey, seeks }) => seeks.map((seek, round) => ({ turn: { termsKey, seek }, round })))
      .sort((a, b) => a.round - b.round)
      .map(({ turn }) => turn);
  }

  /** These have had their turn. */
  pass(turns: readonly Turn[]): void {
    for (const { termsKey, seek } of turns) {
      this.walked.delete(termsKey);
      this.walked.set(termsKey, seek);
    }
  }

  private fromWhereItStopped({ termsKey, seeks }: Pool): Pool {
    const last = this.walked.get(termsKey) ?? '';
    const next = seeks.findIndex((seek) => seek > last);
    return next <= 0
      ? { termsKey, seeks }
      : { termsKey, seeks: [...seeks.slice(next), ...seeks.slice(0, next)] };
  }

  private forgetOthers(pools: readonly Pool[]): void {
    const known = new Set(pools.map(({ termsKey }) => termsKey));
    for (const termsKey of this.walked.keys()) if (!known.has(termsKey)) this.walked.delete(termsKey);
  }
}
