import { Injectable } from '@nestjs/common';
import { Time } from '../../platform/process/time.js';
import type { RatingDistribution } from './ratings.model.js';
import { RatingsStore, type Bin } from './ratings.store.js';

export type Distribution = Omit<RatingDistribution, 'pool'>;

const STEP = 50;
const KEPT_MS = 60_000;

/** Distributions of ratings, cached for a minute, as counting reads a whole pool. */
@Injectable()
export class Distributions {
  private readonly counted = new Map<string, { readonly at: Date; readonly answer: Promise<Distribution> }>();

  constructor(
    private readonly store: RatingsStore,
    private readonly time: Time,
  ) {}

  /** The distribution of an existing pool. */
  of(ruleset: string): Promise<Distribution> {
    const now = this.time.now();
    const known = this.counted.get(ruleset);
    if (known !== undefined && now.getTime() - known.at.getTime() < KEPT_MS) return known.answer;
    const answer = this.count(ruleset, now);
    this.counted.set(ruleset, { at: now, answer });
    // Do not cache a failure.
    answer.catch(() => this.counted.delete(ruleset));
    return answer;
  }

  private async count(ruleset: string, at: Date): Promise<Distribution> {
    const bins = withGaps(await this.store.distribution(ruleset, STEP, at));
    const sum = (of: (bin: Bin) => number) => bins.reduce((total, bin) => total + of(bin), 0);
    return {
      at,
      players: sum(({ players }) => players),
      provisional: sum(({ provisional }) => provisional),
      bins: bins.map((bin) => ({ ...bin, to: bin.from + STEP })),
    };
  }
}

/** Adds the empty steps between the first and the last one. */
function withGaps(bins: readonly Bin[]): readonly Bin[] {
  const [first, last] = [bins[0], bins.at(-1)];
  if (first === undefined || last === undefined) return [];
  const known = new Map(bins.map((bin) => [bin.from, bin]));
  return Array.from({ length: (last.from - first.from) / STEP + 1 }, (_, i) => {
    const from = first.from + i * STEP;
    return known.get(from) ?? { from, players: 0, provisional: 0 };
  });
}
