import { PLAYERS, type Player, type Reason } from '../rules/ruleset.js';
import type { Lengths, ReasonTally, RulesetTally, SideTally, Tally, TimeUsed } from './history.model.js';

/** Adds up what finished games of one player have in common. */

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
