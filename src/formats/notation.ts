import type { Game } from '../rules/play.js';
import { found, type Found } from './fault.js';

/** A ply as a word of a text says it. */
export interface WrittenPly {
  readonly move: string;
  readonly reveals: string | null;
  /** The SAN that the rules must give, if the word says more than the move. */
  readonly san: string | null;
}

/** A ply given only by its move. */
export const plain = (move: string): Found<WrittenPly> => found({ move, reveals: null, san: null });

/** How moves of a family are written in texts. */
export interface Notation {
  /** True if parentheses enclose variations. */
  readonly hasVariations: boolean;
  /** Examples of its moves, for messages. */
  readonly forms: string;
  /** Parses a word as a legal move of a running game; `at` is its offset. */
  readonly read: (game: Game<unknown>, word: string, at: number) => Found<WrittenPly>;
}
