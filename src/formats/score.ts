import type { Options, Outcome, Player } from '../rules/ruleset.js';

/** A game as written from and parsed to by all formats. */

/** A time control in whole seconds, of the same shape as the arbiter's. */
export type ScoreTimeControl = (
  | { readonly type: 'perMove'; readonly seconds: number }
  | { readonly type: 'bank'; readonly initial: number; readonly increment: number; readonly cap: number }
  | { readonly type: 'none' }
) & { readonly noVacation?: true };

/** Where a game begins. */
export interface Origin {
  /** Id of the rule set. */
  readonly ruleset: string;
  readonly options: Options;
  /**
   * The set-up that was drawn or chosen, such as `NQRBK/qbnrk`; null in rule sets without, and if `start` is given.
   */
  readonly setup: string | null;
  /** The position that the plies begin from; null for the ordinary start. */
  readonly start: string | null;
  /** The letters that lie face-down in `start`, where they are known. */
  readonly faceDown: string | null;
}

/** What a text says besides the moves; null is unknown. */
export interface Head {
  readonly id: string | null;
  readonly event: string | null;
  readonly site: string | null;
  readonly round: string | null;
  /** `YYYY.MM.DD` with `?` for unknown digits; null for the day of `startedAt`. */
  readonly date: string | null;
  readonly players: Readonly<Record<Player, string | null>>;
  readonly timeControl: ScoreTimeControl | null;
  /** UTC, to the second, as `2026-01-31T09:05:00Z`. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** When it was imported; null for a game played on the server that wrote the text. */
  readonly importedAt: string | null;
  /** Further tags by their names, as they were given. */
  readonly tags: Readonly<Record<string, string>>;
  /** Facts known to the server that it was played on, or null. Only in JSON. */
  readonly facts: Facts | null;
}

/** Null is unknown throughout. */
export interface Facts {
  /** The version of the rule set. */
  readonly rulesetVersion: number | null;
  readonly rated: boolean | null;
  readonly players: Readonly<Record<Player, PlayerFacts>>;
  readonly fairness: FairnessFacts | null;
}

export interface PlayerFacts {
  readonly id: string | null;
  /** The rating before the game, and its change by the game. */
  readonly rating: number | null;
  readonly ratingDiff: number | null;
}

/** The data that prove the deal (docs/fairness.md), in the terms of the API. */
export interface FairnessFacts {
  readonly format: number | null;
  readonly commitment: string | null;
  readonly dealRoot: string | null;
  readonly creator: string | null;
  readonly creatorSeed: string | null;
  readonly accepterSeed: string | null;
  readonly clientSeeds: Readonly<Record<Player, string | null>>;
  readonly headHash: string | null;
  readonly serverSeed: string | null;
  /** Address of the whole record. */
  readonly record: string | null;
}

export interface ScorePly {
  readonly player: Player;
  readonly move: string;
  /** Letter of the piece that the ply turned up, else null. */
  readonly reveals: string | null;
  readonly captured: string | null;
  readonly san: string;
  /** Whole seconds for which the clock ran; null if unknown. */
  readonly timeUsed: number | null;
  /** Whole seconds that the player had left after it, in the bank or for this move. */
  readonly clock: number | null;
  /** Played from conditional moves. */
  readonly automatic: boolean;
}

export interface Score extends Origin, Head {
  /** The plies in order, without those taken back. */
  readonly plies: readonly ScorePly[];
  /** Null while the game is running. */
  readonly outcome: Outcome | null;
}

/** A parsed game and its last position. */
export interface ReadGame {
  readonly score: Score;
  readonly position: string;
}

export const NO_HEAD: Head = {
  id: null,
  event: null,
  site: null,
  round: null,
  date: null,
  players: { first: null, second: null },
  timeControl: null,
  startedAt: null,
  endedAt: null,
  importedAt: null,
  tags: {},
  facts: null,
};

/**
 * The limits of a text: characters, games, plies and tags per game, characters of names and values, and the largest
 * number.
 */
export const LIMITS = {
  text: 1 << 20,
  games: 1000,
  plies: 2000,
  tags: 100,
  name: 64,
  value: 1000,
  whole: 2 ** 31 - 1,
} as const;
