import { PLAYERS, type Player, type Reason } from '../../rules/ruleset.js';
import type {
  Lengths,
  LengthTally,
  PaceTally,
  ReasonTally,
  SeatTally,
  Tally,
  TimeUsed,
} from './history.model.js';
import { LENGTHS, PACES } from './classes.js';

/** Adds up the counts of a player's finished games. */

/** The counts of a rule set, by its id. */
export type RulesetScore = Tally & { readonly ruleset: string };

/** Games with the same values of the grouped columns, aggregated. */
export interface Group {
  readonly ruleset: string;
  readonly seat: Player;
  readonly reason: Reason;
  readonly winner: Player | null;
  readonly games: number;
  readonly plies: number;
  readonly shortest: number;
  readonly longest: number;
  readonly seconds: number;
  readonly own: number;
  /** The indexes of the ranges in LENGTHS and PACES. */
  readonly length: number;
  readonly pace: number;
}

const total = <T>(all: readonly T[], value: (one: T) => number): number =>
  all.reduce((sum, one) => sum + value(one), 0);

export const sumOf = (parts: readonly Tally[]): Tally => ({
  games: total(parts, ({ games }) => games),
  wins: total(parts, ({ wins }) => wins),
  draws: total(parts, ({ draws }) => draws),
  losses: total(parts, ({ losses }) => losses),
});

export const countsOf = (groups: readonly Group[]): Tally =>
  sumOf(
    groups.map(({ games, seat, winner }) => ({
      games,
      wins: winner === seat ? games : 0,
      draws: winner === null ? games : 0,
      losses: winner !== null && winner !== seat ? games : 0,
    })),
  );

function groupedBy<K extends string>(groups: readonly Group[], key: (group: Group) => K): [K, Tally][] {
  const names = [...new Set(groups.map(key))];
  const counts = names.map((name): [K, Tally] => [
    name,
    countsOf(groups.filter((group) => key(group) === name)),
  ]);
  return counts.sort(([a, one], [b, other]) => other.games - one.games || (a < b ? -1 : 1));
}

export const byRuleset = (groups: readonly Group[]): RulesetScore[] =>
  groupedBy(groups, ({ ruleset }) => ruleset).map(([ruleset, counts]) => ({ ruleset, ...counts }));

export const byReason = (groups: readonly Group[]): ReasonTally[] =>
  groupedBy(groups, ({ reason }) => reason).map(([reason, counts]) => ({ reason, ...counts }));

export const bySeat = (groups: readonly Group[]): SeatTally[] =>
  PLAYERS.map((seat) => ({ seat, ...countsOf(groups.filter((group) => group.seat === seat)) }));

export const byLength = (groups: readonly Group[]): LengthTally[] =>
  classes(groups, LENGTHS, ({ length }) => length).map(([fromPlies, untilPlies, counts]) => ({
    ...{ fromPlies, untilPlies },
    ...counts,
  }));

export const byPace = (groups: readonly Group[]): PaceTally[] =>
  classes(groups, PACES, ({ pace }) => pace).map(([fromSeconds, untilSeconds, counts]) => ({
    ...{ fromSeconds, untilSeconds },
    ...counts,
  }));

/** The counts of all ranges, including those without a game. */
const classes = (
  groups: readonly Group[],
  bounds: readonly number[],
  of: (group: Group) => number,
): [from: number, until: number | null, counts: Tally][] =>
  [0, ...bounds].map((from, i) => [
    from,
    bounds[i] ?? null,
    countsOf(groups.filter((group) => of(group) === i)),
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
