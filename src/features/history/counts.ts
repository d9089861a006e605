import { PLAYERS, type Player, type Reason } from '../../rules/ruleset.js';
import type {
  Lengths,
  LengthTally,
  PaceTally,
  ReasonTally,
  RulesetTally,
  SideTally,
  Tally,
  TimeUsed,
} from './history.model.js';

/** Adds up what finished games of one player have in common. */

/** Where one class of lengths ends and the next begins, in plies of both players. */
export const LENGTHS = [20, 40, 60, 80, 120] as const;
/** The same for the seconds that the player took for each of the own plies. */
export const PACES = [3_600, 21_600, 86_400, 259_200] as const;

/** Games that are alike. */
export interface Alike {
  readonly ruleset: string;
  readonly side: Player;
  readonly reason: Reason;
  readonly winner: Player | null;
  readonly games: number;
  readonly plies: number;
  readonly shortest: number;
  readonly longest: number;
  readonly seconds: number;
  readonly own: number;
  /** How many bounds of LENGTHS, and of PACES, lie below. */
  readonly length: number;
  readonly pace: number;
}

const total = <T>(all: readonly T[], value: (one: T) => number): number =>
  all.reduce((sum, one) => sum + value(one), 0);

export const tallySum = (tallies: readonly Tally[]): Tally => ({
  games: total(tallies, ({ games }) => games),
  wins: total(tallies, ({ wins }) => wins),
  draws: total(tallies, ({ draws }) => draws),
  losses: total(tallies, ({ losses }) => losses),
});

export const tallyOf = (heaps: readonly Alike[]): Tally =>
  tallySum(
    heaps.map(({ games, side, winner }) => ({
      games,
      wins: winner === side ? games : 0,
      draws: winner === null ? games : 0,
      losses: winner !== null && winner !== side ? games : 0,
    })),
  );

function groups<K extends string>(heaps: readonly Alike[], key: (heap: Alike) => K): [K, Tally][] {
  const names = [...new Set(heaps.map(key))];
  const tallies = names.map((name): [K, Tally] => [
    name,
    tallyOf(heaps.filter((heap) => key(heap) === name)),
  ]);
  return tallies.sort(([a, one], [b, other]) => other.games - one.games || (a < b ? -1 : 1));
}

export const byRuleset = (heaps: readonly Alike[]): RulesetTally[] =>
  groups(heaps, ({ ruleset }) => ruleset).map(([ruleset, tally]) => ({ ruleset, ...tally }));

export const byReason = (heaps: readonly Alike[]): ReasonTally[] =>
  groups(heaps, ({ reason }) => reason).map(([reason, tally]) => ({ reason, ...tally }));

export const bySide = (heaps: readonly Alike[]): SideTally[] =>
  PLAYERS.map((side) => ({ side, ...tallyOf(heaps.filter((heap) => heap.side === side)) }));

export const byLength = (heaps: readonly Alike[]): LengthTally[] =>
  classes(heaps, LENGTHS, ({ length }) => length).map(([fromPlies, untilPlies, tally]) => ({
    ...{ fromPlies, untilPlies },
    ...tally,
  }));

export const byPace = (heaps: readonly Alike[]): PaceTally[] =>
  classes(heaps, PACES, ({ pace }) => pace).map(([fromSeconds, untilSeconds, tally]) => ({
    ...{ fromSeconds, untilSeconds },
    ...tally,
  }));

/** All classes, also those without a game, each from one bound up to the next and without it. */
const classes = (
  heaps: readonly Alike[],
  bounds: readonly number[],
  of: (heap: Alike) => number,
): [from: number, until: number | null, tally: Tally][] =>
  [0, ...bounds].map((from, i) => [from, bounds[i] ?? null, tallyOf(heaps.filter((heap) => of(heap) === i))]);

export function lengthsOf(heaps: readonly Alike[]): Lengths {
  if (heaps.length === 0) return { average: null, shortest: null, longest: null };
  return {
    average: total(heaps, ({ plies }) => plies) / total(heaps, ({ games }) => games),
    shortest: Math.min(...heaps.map(({ shortest }) => shortest)),
    longest: Math.max(...heaps.map(({ longest }) => longest)),
  };
}

export function timeOf(heaps: readonly Alike[]): TimeUsed {
  const seconds = total(heaps, (heap) => heap.seconds);
  const own = total(heaps, (heap) => heap.own);
  return { total: seconds, perPly: own === 0 ? null : seconds / own };
}
