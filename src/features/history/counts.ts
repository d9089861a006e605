import { PLAYERS, type Player, type Reason } from '../../rules/ruleset.js';
import type {
  Lengths,
  LengthTally,
  PaceTally,
  ReasonTally,
  SideTally,
  Tally,
  TimeUsed,
} from './history.model.js';
import { LENGTHS, PACES } from './classes.js';

/** Adds up what finished games of one player have in common. */

/** How games went in a rule set, by its id. */
export type RulesetScore = Tally & { readonly ruleset: string };

/** Games that are alike. */
export interface Group {
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

export const tallyOf = (groups: readonly Group[]): Tally =>
  tallySum(
    groups.map(({ games, side, winner }) => ({
      games,
      wins: winner === side ? games : 0,
      draws: winner === null ? games : 0,
      losses: winner !== null && winner !== side ? games : 0,
    })),
  );

function groupedBy<K extends string>(groups: readonly Group[], key: (group: Group) => K): [K, Tally][] {
  const names = [...new Set(groups.map(key))];
  const tallies = names.map((name): [K, Tally] => [
    name,
    tallyOf(groups.filter((group) => key(group) === name)),
  ]);
  return tallies.sort(([a, one], [b, other]) => other.games - one.games || (a < b ? -1 : 1));
}

export const byRuleset = (groups: readonly Group[]): RulesetScore[] =>
  groupedBy(groups, ({ ruleset }) => ruleset).map(([ruleset, tally]) => ({ ruleset, ...tally }));

export const byReason = (groups: readonly Group[]): ReasonTally[] =>
  groupedBy(groups, ({ reason }) => reason).map(([reason, tally]) => ({ reason, ...tally }));

export const bySide = (groups: readonly Group[]): SideTally[] =>
  PLAYERS.map((side) => ({ side, ...tallyOf(groups.filter((group) => group.side === side)) }));

export const byLength = (groups: readonly Group[]): LengthTally[] =>
  classes(groups, LENGTHS, ({ length }) => length).map(([fromPlies, untilPlies, tally]) => ({
    ...{ fromPlies, untilPlies },
    ...tally,
  }));

export const byPace = (groups: readonly Group[]): PaceTally[] =>
  classes(groups, PACES, ({ pace }) => pace).map(([fromSeconds, untilSeconds, tally]) => ({
    ...{ fromSeconds, untilSeconds },
    ...tally,
  }));

/** All classes, also those without a game, each from one bound up to the next and without it. */
const classes = (
  groups: readonly Group[],
  bounds: readonly number[],
  of: (group: Group) => number,
): [from: number, until: number | null, tally: Tally][] =>
  [0, ...bounds].map((from, i) => [
    from,
    bounds[i] ?? null,
    tallyOf(groups.filter((group) => of(group) === i)),
  ]);

export function lengthsOf(groups: readonly Group[]): Lengths {
  if (groups.length === 0) return { average: null, shortest: null, longest: null };
  return {
    average: total(groups, ({ plies }) => plies) / total(groups, ({ games }) => games),
    shortest: Math.min(...groups.map(({ shortest }) => shortest)),
    longest: Math.max(...groups.map(({ longest }) => longest)),
  };
}

export function timeOf(groups: readonly Group[]): TimeUsed {
  const seconds = total(groups, (group) => group.seconds);
  const own = total(groups, (group) => group.own);
  return { total: seconds, perPly: own === 0 ? null : seconds / own };
}
