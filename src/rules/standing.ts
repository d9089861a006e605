import { position, type Game } from './play.js';
import type { Player } from './ruleset.js';

/** What is stored of a game after a ply to judge the next one. */
export interface Standing {
  readonly position: string;
  /**
   * The position after the last irreversible ply, which starts the history for repetition, and the number of that
   * ply.
   */
  readonly anchorPosition: string;
  readonly anchorPly: number;
  readonly turn: Player;
}

export function standingOf<P>(game: Game<P>, ply: number): Standing {
  const { ruleset, history } = game;
  const at = position(game);
  return {
    position: ruleset.fen(at),
    anchorPosition: ruleset.fen(history.positions[0] ?? at),
    anchorPly: ply - history.moves.length,
    turn: ruleset.turn(at),
  };
}
