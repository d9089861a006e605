import type { Player } from '../../rules/ruleset.js';
import { deviationAt, isProvisional, START, type Skill } from './glicko.js';

/** The rows of ratings in memory. A pool is a rule set with any of its options. */

export interface RatingKey {
  readonly userId: string;
  /** The key of the pool: the id of a rule set, or that of an application's own pool of it. */
  readonly ruleset: string;
}

export interface RatingRow extends RatingKey, Skill {
  readonly games: number;
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  /** The latest end of a rated game; the deviation grows from then on. */
  readonly ratedAt: Date;
  readonly listedUntil: Date | null;
}

/** The change of a player's rating by a game. */
export interface ChangeRow extends RatingKey, Skill {
  readonly gameId: string;
  readonly player: Player;
  /** The number of the game among the user's rated games in the pool. */
  readonly number: number;
  readonly ratingBefore: number;
  /** The deviation grown up to the end of the game. */
  readonly deviationBefore: number;
  readonly volatilityBefore: number;
  readonly at: Date;
}

/** A finished game to rate. */
export interface RatedEnd {
  readonly gameId: string;
  /** The key of the pool. */
  readonly ruleset: string;
  readonly firstId: string;
  readonly secondId: string;
  readonly winner: Player | null;
  readonly endedAt: Date;
}

/** A user's rating in a pool at some time, with the deviation grown up to then. */
export interface Standing extends RatingKey, Skill {
  readonly provisional: boolean;
  readonly games: number;
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  /** Null if there is no rated game yet; the other values are then the starting ones. */
  readonly ratedAt: Date | null;
}

export function standingOf(row: RatingRow, now: Date): Standing {
  const deviation = deviationAt({ deviation: row.deviation, ratedAt: row.ratedAt.getTime() }, now.getTime());
  const { listedUntil: _, ...shown } = row;
  return { ...shown, deviation, provisional: isProvisional({ deviation }) };
}

export const startingIn = (ruleset: string, userId: string): Standing => ({
  userId,
  ruleset,
  ...START,
  provisional: isProvisional(START),
  games: 0,
  wins: 0,
  draws: 0,
  losses: 0,
  ratedAt: null,
});
