import type { Player } from '../../rules/ruleset.js';
import { deviationAt, isProvisional, START, type Skill } from './glicko.js';

/** The rows of ratings as the program handles them. A pool is a rule set, with any of its options. */

export interface RatingKey {
  readonly userId: string;
  readonly ruleset: string;
}

export interface RatingRow extends RatingKey, Skill {
  readonly games: number;
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  /** The newest end of a rated game; the deviation grows from here on. */
  readonly ratedAt: Date;
  readonly listedUntil: Date | null;
}

/** What a rated game did to one of its players. */
export interface ChangeRow extends RatingKey, Skill {
  readonly gameId: string;
  readonly player: Player;
  /** Counts the rated games of the user in the pool. */
  readonly number: number;
  readonly ratingBefore: number;
  /** As it had grown by the end of the game. */
  readonly deviationBefore: number;
  readonly volatilityBefore: number;
  readonly at: Date;
}

/** A game that ends and is to be rated. */
export interface RatedEnd {
  readonly gameId: string;
  readonly ruleset: string;
  readonly firstId: string;
  readonly secondId: string;
  readonly winner: Player | null;
  readonly endedAt: Date;
}

/** Where a user stands in a pool at some moment: the deviation is what it has grown to. */
export interface Standing extends RatingKey, Skill {
  readonly provisional: boolean;
  readonly games: number;
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  /** Null: no rated game yet, and the rest is what everybody starts with. */
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
