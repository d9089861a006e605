import type { Refusal, Result } from './result.js';

/** The vocabulary of all rule sets and the interface that they implement. */

export const PLAYERS = ['first', 'second'] as const;
export type Player = (typeof PLAYERS)[number];

export const opponent = (player: Player): Player => (player === 'first' ? 'second' : 'first');

export const REASONS = [
  'checkmate',
  'kingCaptured',
  'noLegalMove',
  'allPiecesCaptured',
  'stalemate',
  'threefoldRepetition',
  'fivefoldRepetition',
  'fiftyMoves',
  'seventyFiveMoves',
  'quietLimit',
  'insufficientMaterial',
  'perpetualCheck',
  'perpetualChase',
  'perpetualAttack',
  'resignation',
  'agreement',
  'timeout',
  'aborted',
] as const;
export type Reason = (typeof REASONS)[number];

export interface Outcome {
  readonly winner: Player | null;
  readonly reason: Reason;
}

/** What chance decides. */
export const CHANCES = ['none', 'deal', 'setup'] as const;
export type Chance = (typeof CHANCES)[number];

/** The draws that a player may claim, in the order in which they are listed. */
export const CLAIMS = ['threefoldRepetition', 'fiftyMoves'] as const;
export type Claim = (typeof CLAIMS)[number];

export type OptionValue = boolean | number | string;
export type Options = Readonly<Record<string, OptionValue>>;

export const OPTION_TYPES = ['boolean', 'integer', 'choice', 'setup'] as const;

/** One option of a rule set: its values, the default, and what it means, in one sentence for players. */
export type OptionSpec = { readonly meaning: string } & (
  | { readonly type: 'boolean'; readonly default: boolean }
  | { readonly type: 'integer'; readonly default: number; readonly min: number; readonly max: number }
  | { readonly type: 'choice'; readonly default: string; readonly values: readonly string[] }
  /** `random`, or a set-up text of the rule set (see setup.ts). */
  | { readonly type: 'setup'; readonly default: typeof RANDOM_SETUP }
);

/** The value of a set-up option that leaves the set-up to chance. */
export const RANDOM_SETUP = 'random';

/** One kind of piece, for the catalogue. */
export interface PieceSpec {
  /** Its letter for the first named side; the other side's is the same in lower case. */
  readonly letter: string;
  readonly name: string;
  /** The characters on the pieces of the two sides, null where there are none. */
  readonly chinese: readonly [string, string] | null;
  /** How it moves and captures, in one sentence for players. */
  readonly moves: string;
}

/** How a move may be written: in coordinates, as stored, or in another notation (src/formats/move.ts). */
export const MOVE_FORMATS = ['coordinates', 'san', 'wxf', 'iccs', 'ucci'] as const;
export type MoveFormat = (typeof MOVE_FORMATS)[number];

/** The notations besides SAN or WXF. */
export const NOTATION_NAMES = ['iccs', 'chinese'] as const;

/** A move in one of them. */
export interface NotedMove {
  readonly name: (typeof NOTATION_NAMES)[number];
  readonly text: string;
}

/**
 * A move in the family's own encoding: a small non-negative integer, opaque outside the family.
 * Its text form (`text`) is what players submit and what is stored.
 */
export type Move = number;

/**
 * What repetition and claims look at: the positions since the last irreversible ply (`quiet` 0) or the start of the
 * game, oldest first, the current one last; `moves[i]` led from `positions[i]` to `positions[i + 1]`.
 */
export interface History<P> {
  readonly positions: readonly P[];
  readonly moves: readonly Move[];
}

/**
 * A rule set: data and pure functions. `P` is its position, an immutable value without secrets: it never holds the
 * identity of a face-down piece, so nothing computed from it can leak one.
 */
export interface Ruleset<P> {
  readonly id: string;
  /** The version of its rules, increased whenever a change judges some game differently. */
  readonly version: number;
  /** The name players know. */
  readonly name: string;
  /** Its Chinese name, null where there is none. */
  readonly chinese: string | null;
  /** The document that the game comes from, by name. */
  readonly source: string;
  /** One paragraph for players. */
  readonly summary: string;
  /** Side names; in face-down games in the order of the piece letters (upper case first), not of the players. */
  readonly sides: readonly [string, string];
  readonly pieces: readonly PieceSpec[];
  readonly board: { readonly files: number; readonly ranks: number };
  /** Traits: are there face-down pieces, and what does chance decide? */
  readonly hidden: boolean;
  readonly chance: Chance;
  /** The lists that are shuffled, each in its fixed order before the shuffle; empty without chance. */
  readonly dealing: readonly string[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  /**
   * The draws that its players may claim, sorted as in CLAIMS. A game without one of them ends by itself instead: when
   * a position occurs for the third time, and after some number of quiet plies.
   */
  readonly claims: readonly Claim[];
  /** Who starts a rematch: the winner of the old game, after a draw as elsewhere; or the players swap. */
  readonly rematch: 'winnerStarts' | 'sidesSwap';

  /**
   * The position before ply 1. `options` are complete (see parseOptions). `setup` is what chance drew where it draws
   * a set-up; as long as that is null and the options name none, the rows stand in the order of `dealing`.
   */
  start(options: Options, setup: string | null): P;
  /**
   * Reads a position text in the form of the rules, which prints back to the same text.
   * `unseen`: the letters of the face-down pieces in any order, where they are known by elimination; without it
   * nothing is concluded from what is no longer face-down. Refused with INVALID_POSITION.
   */
  parse(fen: string, options: Options, unseen?: string): Result<P>;
  fen(position: P): string;
  turn(position: P): Player;
  /**
   * Which of `sides` a player has; null until it is known. Without this function the first player has the first side.
   */
  sideOf?(position: P, player: Player): 0 | 1 | null;
  /** Plies since the last irreversible one; 0 right after it, and always if every ply is irreversible. */
  quiet(position: P): number;
  /** True if equal for repetition: board, side to move and all rights. */
  same(a: P, b: P): boolean;
  /** All legal moves, ignoring draws; none if the position is won. */
  legalMoves(position: P): readonly Move[];
  /** How many there are, without listing them. */
  countLegalMoves(position: P): number;
  /** The legal moves after which the opponent can capture the king; empty if such moves are illegal. */
  losing(position: P): readonly Move[];
  text(move: Move): string;
  /** The legal move with this text, or null. Only for rule sets where this is faster than searching the list. */
  find?(position: P, text: string): Move | null;
  /**
   * The history after moves given as text, or null if one is illegal. Only for rule sets where this is faster than
   * one by one.
   */
  playTexts?(start: P, texts: readonly string[]): History<P> | null;
  /** The square whose piece the move turns up, or null. */
  turnsUp(position: P, move: Move): string | null;
  /** The position after a move of `legalMoves`; `reveal` is the letter that it turns up, null if none. */
  play(position: P, move: Move, reveal: string | null): P;
  /** The letter of the piece that the move captures, or null. */
  captured(position: P, move: Move, reveal: string | null): string | null;
  /** The move as written for people. A turn-up that has not happened yet (`reveal` null) is written with `?`. */
  san(position: P, move: Move, reveal: string | null): string;
  /** The move in the other notations of the game; empty if there are none. */
  notations(position: P, move: Move): readonly NotedMove[];
  /** Is the side to move in check? False where there is no check. */
  check(position: P): boolean;
  /** The outcome if the last ply of the history ended the game, else null. */
  outcome(history: History<P>): Outcome | null;
  /** The draws that can be claimed in the last position of a running game, sorted as in CLAIMS. */
  claimable(history: History<P>): readonly Claim[];
  /**
   * True if this player could still win by some sequence of legal moves, or in doubt. Decides the outcome of a
   * timeout.
   */
  canWin(position: P, player: Player): boolean;
  /** The letters still face-down, by elimination, sorted by the dealing list; null if not known. */
  unseen(position: P): string | null;
  /** The letters that a turn-up may show: `unseen` if known, else all that are not on the board. */
  mayTurnUp(position: P): string;
  /** Why this text is not a legal move here. Call it only if it is not. */
  explain(position: P, text: string): Refusal;
}
