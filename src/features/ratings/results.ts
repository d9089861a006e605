import { opponent, type Player } from '../../rules/ruleset.js';
import { listedUntil, rate, START, type Rated, type SkillChange } from './glicko.js';
import type { ChangeRow, RatedEnd, RatingKey, RatingRow } from './rating.row.js';

/** PURE. Rates finished games, one after the other. */

/** The new ratings and the changes to store. */
export interface Results {
  readonly ratings: readonly RatingRow[];
  readonly changes: readonly ChangeRow[];
}

/** The keys of the ratings that these games change, without duplicates. */
export function keysOf(ends: readonly RatedEnd[]): readonly RatingKey[] {
  const keys = ends.flatMap(({ ruleset, firstId, secondId }) =>
    [firstId, secondId].map((userId) => ({ userId, ruleset })),
  );
  return [...new Map(keys.map((key) => [textOf(key), key])).values()];
}

/** The row of a user without a rated game in the pool. */
export const firstRow = ({ userId, ruleset }: RatingKey): RatingRow => ({
  userId,
  ruleset,
  ...START,
  games: 0,
  wins: 0,
  draws: 0,
  losses: 0,
  ratedAt: new Date(0),
  listedUntil: null,
});

/** Rates games in the order of their ends; `rows` has the current ratings of all players. */
export function resultsOf(rows: readonly RatingRow[], ends: readonly RatedEnd[]): Results {
  const ratings = new Map(rows.map((row) => [textOf(row), row]));
  const changes: ChangeRow[] = [];
  for (const end of [...ends].sort(inOrder)) {
    const { ruleset, firstId, secondId, endedAt } = end;
    const [first, second] = [firstId, secondId].map((userId) => ratings.get(textOf({ userId, ruleset }))!);
    const score = scoreOf(end, 'first');
    const rated = rate(ratedOf(first!), ratedOf(second!), score, endedAt.getTime());
    for (const [player, row] of [['first', first!] as const, ['second', second!] as const]) {
      const next = after(row, rated[player], scoreOf(end, player), endedAt);
      ratings.set(textOf(row), next);
      changes.push(changeOf(end, player, next, rated[player]));
    }
  }
  return { ratings: [...ratings.values()], changes };
}

function after(row: RatingRow, { after: skill }: SkillChange, score: number, endedAt: Date): RatingRow {
  // A sweep may rate a game that ended before the last rated one: do not count that time twice.
  const ratedAt = endedAt > row.ratedAt ? endedAt : row.ratedAt;
  const until = listedUntil({ deviation: skill.deviation, ratedAt: ratedAt.getTime() });
  return {
    ...row,
    ...skill,
    games: row.games + 1,
    wins: row.wins + (score === 1 ? 1 : 0),
    draws: row.draws + (score === 0.5 ? 1 : 0),
    losses: row.losses + (score === 0 ? 1 : 0),
    ratedAt,
    listedUntil: until === null ? null : new Date(until),
  };
}

const changeOf = (end: RatedEnd, player: Player, row: RatingRow, { before }: SkillChange): ChangeRow => ({
  gameId: end.gameId,
  player,
  userId: row.userId,
  ruleset: row.ruleset,
  number: row.games,
  ratingBefore: before.rating,
  deviationBefore: before.deviation,
  volatilityBefore: before.volatility,
  rating: row.rating,
  deviation: row.deviation,
  volatility: row.volatility,
  at: end.endedAt,
});

function scoreOf({ winner }: RatedEnd, player: Player): number {
  if (winner === null) return 0.5;
  return winner === opponent(player) ? 0 : 1;
}

const ratedOf = ({ ratedAt, rating, deviation, volatility }: RatingRow): Rated => ({
  rating,
  deviation,
  volatility,
  ratedAt: ratedAt.getTime(),
});

const textOf = ({ userId, ruleset }: RatingKey): string => `${userId} ${ruleset}`;

const inOrder = (a: RatedEnd, b: RatedEnd): number =>
  a.endedAt.getTime() - b.endedAt.getTime() || (a.gameId < b.gameId ? -1 : 1);
