import type { Game } from '../rules/play.js';
import { found, type Found } from './fault.js';

/** A word of a text as a ply. */
export interface WrittenPly {
  readonly move: string;
  readonly reveals: string | null;
  /** What the rules must write for it, where the word says more than the move. */
  readonly san: string | null;
}

/** A ply of which the word says nothing but the move. */
export const plain = (move: string): Found<WrittenPly> => found({ move, reveals: null, san: null });

/** How the moves of a family stand in a text. */
export interface Notation {
  /** Are parentheses variations? */
  readonly hasVariations: boolean;
  /** Examples of its moves, for messages. */
  readonly forms: string;
  /** Reads a word as one of the legal moves of a game that goes on; `at` is where it stands. */
  readonly read: (game: Game<unknown>, word: string, at: number) => Found<WrittenPly>;
}
