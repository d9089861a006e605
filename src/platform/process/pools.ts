import { Logger } from '@nestjs/common';

/** How much of one kind is done at a time. */
export interface PoolLimits {
  readonly most: number;
  /** What takes longer makes room for the next. */
  readonly patienceMs: number;
}

interface Limits {
  readonly pools: readonly PoolLimits[];
  /** Of all pools, with what has made room. */
  readonly most: number;
  /** For one owner, so that one with much that hangs keeps no other waiting. */
  readonly mostOfAnOwner: number;
}

/**
 * Work for many owners that waits for machines of others, some of which are slow: in pools, so that the slow ones keep the
 * others waiting for a moment only. `find` begins what is due as far as there is room, and returns whether to look again.
 */
export class Pools {
  private readonly logger = new Logger(Pools.name);
  private readonly busy: number[];
  private readonly works = new Set<Promise<void>>();
  private readonly worksOf = new Map<string, number>();
  private looking: Promise<void> | null = null;
  private isAgain = false;
  private isEnding = false;

  constructor(
    private readonly limits: Limits,
    private readonly find: () => Promise<boolean>,
  ) {
    this.busy = limits.pools.map(() => 0);
  }

  /** Begins what is due; one look at a time, and one more if it was asked for meanwhile. */
  look(): Promise<void> {
    this.isAgain = true;
    this.looking ??= this.lookOn().finally(() => (this.looking = null));
    return this.looking;
  }

  /** How much more there is room for in a pool. */
  room(pool: number): number {
    return Math.min(this.limits.pools[pool]!.most - this.busy[pool]!, this.limits.most - this.works.size);
  }

  /** How much is being done for each owner. */
  get busyFor(): ReadonlyMap<string, number> {
    return this.worksOf;
  }

  /** The owners for whom no more can be done at this moment. */
  full(): readonly string[] {
    const { mostOfAnOwner } = this.limits;
    return [...this.worksOf].filter(([, many]) => many >= mostOfAnOwner).map(([owner]) => owner);
  }

  begin(pool: number, owner: string, work: () => Promise<void>): void {
    const { patienceMs } = this.limits.pools[pool]!;
    this.busy[pool]! += 1;
    this.worksOf.set(owner, (this.worksOf.get(owner) ?? 0) + 1);
    let makeRoom = () => {
      makeRoom = () => undefined;
      this.busy[pool]! -= 1;
      this.lookSoon();
    };
    const timer = patienceMs === Infinity ? undefined : setTimeout(() => makeRoom(), patienceMs);
    const one = work()
      .catch((error: unknown) => this.logger.error(error))
      .finally(() => {
        clearTimeout(timer);
        this.works.delete(one);
        const left = this.worksOf.get(owner)! - 1;
        if (left > 0) this.worksOf.set(owner, left);
        else this.worksOf.delete(owner);
        makeRoom();
      });
    this.works.add(one);
  }

  /** Resolves when what has begun has ended; whether anything had. */
  async idle(): Promise<boolean> {
    const isBusy = this.works.size > 0;
    await Promise.all(this.works);
    return isBusy;
  }

  /** Begins nothing more, and resolves when what has begun has ended. */
  async end(): Promise<void> {
    this.isEnding = true;
    await this.looking;
    await this.idle();
  }

  private lookSoon(): void {
    this.look().catch((error: unknown) => this.logger.error(error));
  }

  private async lookOn(): Promise<void> {
    while (this.isAgain && !this.isEnding) {
      this.isAgain = false;
      if (await this.find()) this.isAgain = true;
    }
  }
}
