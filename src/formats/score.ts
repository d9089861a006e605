import type { Options, Outcome, Player } from '../rules/ruleset.js';

/** A game as its text says it: what every format of games is written from and read to. */

/** What players agree on about time, in whole seconds; the same shape as the arbiter's. */
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
  /** The set-up that was drawn or chosen, as `NQRBK/qbnrk`; null in rule sets without, and beside `start`. */
  readonly setup: string | null;
  /** The position that the plies begin from; null for the ordinary start. */
  readonly start: string | null;
  /** The letters that lie face-down in `start`, where they are known. */
  readonly faceDown: string | null;
}

/** What stands beside the moves; null is what nobody knows. */
export interface Head {
  readonly id: string | null;
  readonly event: string | null;
  readonly site: string | null;
  readonly round: string | null;
  /** `YYYY.MM.DD`, `?` for digits that nobody knows; null for the day of `startedAt`. */
  readonly date: string | null;
  readonly players: Readonly<Record<Player, string | null>>;
  readonly timeControl: ScoreTimeControl | null;
  /** UTC, to the second, as `2026-01-31T09:05:00Z`. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** When it was brought here as a text; null for a game that was played where its text was written. */
  readonly importedAt: string | null;
  /** Further tags by their names, as they were given. */
  readonly tags: Readonly<Record<string, string>>;
  /** What the server knows of it that it was played on; null where nobody says it. Only JSON has it. */
  readonly facts: Facts | null;
}

/** Null is what nobody knows, throughout. */
export interface Facts {
  /** Of the rules by which the server judges it. */
  readonly rulesetVersion: number | null;
  readonly rated: boolean | null;
  readonly players: Readonly<Record<Player, PlayerFacts>>;
  readonly fairness: FairnessFacts | null;
}

export interface PlayerFacts {
  readonly id: string | null;
  /** Before the game, and what the game changed. */
  readonly rating: number | null;
  readonly ratingDiff: number | null;
}

/** What the deal is proved by (docs/fairness.md); states and sides in the words of the API. */
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
  /** Whole seconds for which the clock ran; null where nobody knows. */
  readonly timeUsed: number | null;
  /** Whole seconds that its player had left after it, in the bank or of the time for this move. */
  readonly clock: number | null;
  /** Played from conditional moves. */
  readonly automatic: boolean;
}

export interface Score extends Origin, Head {
  /** The plies that stand, in order: none that was taken back. */
  readonly plies: readonly ScorePly[];
  /** Null as long as the game runs. */
  readonly outcome: Outcome | null;
}

/** A game that was read, and the position that it ends in. */
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

/** What a text may have at most: characters, games in it, plies and tags of a game, characters of names and values, and a number. */
export const LIMITS = {
  text: 1 << 20,
  games: 1000,
  plies: 2000,
  tags: 100,
  name: 64,
  value: 1000,
  whole: 2 ** 31 - 1,
} as const;
